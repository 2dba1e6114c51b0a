import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { configKeys } from '../shared/config.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('lists every configuration key with its meaning and default', () => {
    const rows = configKeys.map(
      ({ name, meaning, default: fallback }) =>
        `| \`${name}\` | ${meaning} | ${fallback ? `\`${fallback}\`` : ''} |`,
    );
    const table = ['| key | meaning | default |', '|---|---|---|', ...rows].join('\n');
    const listed = /<!-- configuration -->\n([\s\S]*?)\n<!-- \/configuration -->/.exec(readme)?.[1];
    expect(listed).to.equal(table);
  });
});
