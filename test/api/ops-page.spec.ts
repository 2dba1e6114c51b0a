import { expect } from 'chai';
import { OpsFixture } from './ops-fixture.ts';

const types: Record<string, RegExp> = {
  '/': /^text\/html; charset=utf-8$/,
  css: /^text\/css/,
  js: /^(text|application)\/javascript/,
};

describe('the status page', () => {
  const ops = new OpsFixture();
  before(() => ops.start());
  after(() => ops.server.close());

  /** The page and every file that it loads, found by following what each one names. */
  async function load(path: string, loaded: Map<string, string>): Promise<Map<string, string>> {
    if (loaded.has(path)) return loaded;
    const { status, headers, text } = await ops.get(path);
    expect(status, path).to.equal(200);
    expect(headers.get('content-type'), path).to.match(types[path.split('.')[1] ?? '/'] ?? /never/);
    expect(headers.get('content-security-policy'), path)
      .to.match(/default-src 'none'/)
      .and.not.contain('unsafe');
    expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
    loaded.set(path, text);
    const html = [...text.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)];
    const modules = path.includes('uplot') ? [] : [...text.matchAll(/from '([^']+)'/g)];
    for (const [, named = ''] of [...html, ...modules])
      if (named !== 'data:,') await load(new URL(named, `http://x${path}`).pathname, loaded);
    return loaded;
  }

  it('is served with everything that it loads, each with its type, under a strict policy', async () => {
    const loaded = await load('/', new Map());
    expect([...loaded.keys()].sort()).to.deep.equal([
      '/',
      '/page/charts.js',
      '/page/format.js',
      '/page/page.css',
      '/page/page.js',
      '/page/tables.js',
      '/page/uplot.css',
      '/page/uplot.js',
    ]);
  });

  it('refers to no other host', async () => {
    for (const [path, text] of await load('/', new Map())) {
      const code = path.includes('uplot') ? text.replaceAll(/\/\*.*?\*\//gs, '') : text;
      expect(code, path).not.to.match(/https?:|["'(=]\/\/\w|@import|url\(/);
    }
  });

  it('names every part that its script fills', async () => {
    const loaded = await load('/', new Map());
    const ids = new Set([...(loaded.get('/') ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const scripts = ['page', 'tables'].map((name) => loaded.get(`/page/${name}.js`)).join('\n');
    const used = [...scripts.matchAll(/(?:element|getElementById|fill|figure)\('([\w-]+)'/g)].map(
      ([, id]) => id,
    );
    expect(used).to.have.length.greaterThan(15);
    for (const id of used) expect(ids, id).to.include(id);
  });

  it('has no other file of the folders that it is served from', async () => {
    for (const path of ['index.html', 'package.json', '..%2Fserver.ts', 'uPlot.esm.js'])
      expect((await ops.get(`/page/${path}`)).status, path).to.equal(404);
  });
});
