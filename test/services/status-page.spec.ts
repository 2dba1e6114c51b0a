import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { StoreStatus } from '../../api/ops/snapshot.ts';
import { type Program, runProgram } from '../service/process.ts';
import { startChromium } from './servers/chromium.ts';
import { freePort } from './servers/server.ts';

type Status = StoreStatus & {
  indexer: { daos: { dao: string; accounts: number }[] };
  requests: { total: number };
};

const number = (value: number) => value.toLocaleString('en');

describe('the status page in a browser', function () {
  this.timeout(5 * 60_000);
  let folder: string;
  let screenshots: string;
  let url: string;
  let demo: Program;
  let browser: Browser;
  let start: () => Promise<void>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'status-page-'));
    screenshots = await mkdtemp(join(tmpdir(), 'status-page-screenshots-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // Embedded stores whatever servers there are, and no activity after the story: numbers stand still.
    const embedded = { KAFKA_BROKERS: '', MONGODB_URL: '', REDIS_URL: '' };
    const env = { ...embedded, DATA_DIR: folder, PORT: '0', OPS_PORT: `${port}`, DEMO_RATE: '0' };
    start = async () => {
      demo = runProgram('cli.ts', ['demo'], env);
      await demo.line(/^The chain goes on/);
    };
    [browser] = await Promise.all([startChromium(), start()]);
  });

  after(async () => {
    await browser?.close();
    await demo?.end('SIGTERM');
    await rm(folder, { recursive: true });
    console.log(`      Screenshots are in ${screenshots}`);
  });

  /** Opens the page in a context of its own; `faults` fills with what must not happen. */
  async function open(
    colorScheme: 'light' | 'dark',
    width: number,
  ): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== url && protocol !== 'data:') faults.push(`asked ${request.url()}`);
    });
    await page.goto(url);
    await page.locator('html.fresh').waitFor();
    return { page, faults };
  }

  const status = async () => (await (await fetch(`${url}/status`)).json()) as Status;
  const rows = async (page: Page, table: string) =>
    Promise.all(
      (await page.locator(`#${table} tbody tr`).all()).map((row) => row.locator('th, td').allTextContents()),
    );
  const refreshed = (page: Page) => page.waitForResponse((response) => response.url() === `${url}/status`);

  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1280, 360])
      it(`shows the service, ${scheme}, ${width} pixels wide`, async () => {
        const { page, faults } = await open(scheme, width);
        for (let looks = 0; looks < 3; looks++) await refreshed(page);
        await page.locator('#rate-chart .reading', { hasText: /appended \d/ }).waitFor();
        await page.screenshot({ path: join(screenshots, `${scheme}-${width}.png`), fullPage: true });

        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.equal(0);
        const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        const [red = 0] = /\d+/.exec(ground)?.map(Number) ?? [];
        expect(red > 127, `${ground} is light`).to.equal(scheme === 'light');
        for (const chart of ['lag-chart', 'rate-chart'])
          expect(await page.evaluate(drawnColours(chart)), chart).to.be.greaterThan(3);
        expect(faults).to.deep.equal([]);
        await page.context().close();
      });

  it('shows what /status tells', async () => {
    const { page } = await open('light', 1280);
    const before = await status();
    await refreshed(page);
    await refreshed(page);
    const partitions = await rows(page, 'partitions');
    const after = await status();

    const [generation] = before.generations;
    expect(partitions.map((cells) => cells.slice(0, 4))).to.deep.equal(
      before.partitions.map(({ partition, end }) => {
        const place = generation?.checkpoints[partition];
        return [String(partition), number(end), number(place?.offset ?? -1), number(place?.lag ?? -1)];
      }),
    );
    for (const [partition, cells] of partitions.entries()) {
      const seqno = Number(cells[4]?.replaceAll(',', ''));
      const [least, most] = [before, after].map((each) => each.partitions[partition]?.seqno ?? 0);
      expect(seqno).to.be.within(least ?? 0, most ?? 0);
    }
    expect(await rows(page, 'generations')).to.deep.equal([
      [`${generation?.id}live`, '100%', '0', '0', generation?.digest.slice(0, 16)],
    ]);
    const daos = (await rows(page, 'daos')).map(([dao, , accounts]) => [dao, accounts]);
    expect(daos).to.have.deep.members(
      before.indexer.daos.map(({ dao, accounts }) => [dao, number(accounts)]),
    );
    const records = before.partitions.reduce((sum, { end }) => sum + end, 0);
    expect(await page.locator('#records').textContent()).to.equal(number(records));
    expect(await page.locator('#dead-letters').textContent()).to.equal('0');
    expect(await page.locator('#requests').textContent()).to.equal(number(after.requests.total));
    expect(await rows(page, 'letters')).to.deep.equal([['None: every record could be folded.']]);
    await page.context().close();
  });

  it('is used by keyboard and told to a screen reader', async () => {
    const { page } = await open('light', 360);
    await page.locator('input[value="1800"]').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('input[value="21600"]').isChecked()).to.equal(true);
    // On a phone, too, where rows are stacked.
    for (const name of ['Generations', 'Partitions', 'DAOs', 'Dead letters', 'Unknown']) {
      const table = page.getByRole('table', { name, exact: true });
      await table.waitFor();
      expect(await table.getByRole('columnheader').count(), name).to.be.greaterThan(1);
    }
    expect(await page.getByRole('table', { name: 'Partitions' }).getByRole('rowheader').count()).to.equal(4);
    await page
      .locator('[aria-live=polite]', { hasText: /^Head lag (under|over) / })
      .waitFor({ state: 'attached' });
    await page.context().close();
  });

  it('says which store is down, and keeps the last that is known', async () => {
    const { page } = await open('dark', 360);
    const records = await page.locator('#records').textContent();
    await page.route(`${url}/status`, async (route) => {
      const { partitions: _p, generations: _g, daos: _d, ...rest } = await status();
      const body = JSON.stringify({ ...rest, headLagSeconds: null, problems: ['read_store_unavailable'] });
      await route.fulfill({ status: 503, contentType: 'application/json', body });
    });
    await page.getByRole('alert').filter({ hasText: 'The read store does not answer.' }).waitFor();
    expect(await page.locator('#records').textContent()).to.equal(records);
    await page.screenshot({ path: join(screenshots, 'store-down.png'), fullPage: true });
    await page.context().close();
  });

  it('tells when the server is gone, and goes on when it is back', async () => {
    const { page } = await open('light', 360);
    const records = await page.locator('#records').textContent();
    await demo.end('SIGKILL');
    await page.locator('#freshness-text', { hasText: /^Lost, last answer .+ ago$/ }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
    expect(await page.locator('#records').textContent()).to.equal(records);
    await page.screenshot({ path: join(screenshots, 'lost.png'), fullPage: true });

    await start();
    await page.locator('html.fresh').waitFor();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await page.locator('#freshness-text', { hasText: 'Live' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.equal(0);
    await page.context().close();
  });
});

/** How many colours a chart shows: one that drew nothing has one. */
function drawnColours(chart: string): string {
  return `(() => {
    const canvas = document.querySelector('#${chart} canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  })()`;
}
