import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../devnet/contracts/codes.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const FILE = 'shared/contracts/campaign/version-6-2.ts';
const REGISTRY = 'shared/contracts/registry.ts';

/** Does to the project in a folder what a developer does after an upgrade: adds one file and one line of the registry. */
export function addVersion(project: string): void {
  const source = readFileSync(join(HERE, 'version-6-2.ts'), 'utf8');
  const moved = source
    .replaceAll("'../../shared/contracts/campaign/", "'./")
    .replaceAll("'../../shared/contracts/", "'../");
  writeFileSync(join(project, FILE), moved);
  const line = `  ['${codeOf('campaign-6.2').hash().toString('hex')}', campaign62],\n`;
  const registry = readFileSync(join(project, REGISTRY), 'utf8');
  if (registry.includes(line)) return;
  const added = registry
    .replace(
      /^(import \{ campaign61 \} .*\n)/m,
      "$1import { campaign62 } from './campaign/version-6-2.ts';\n",
    )
    .replace(/^( {2}\['[0-9a-f]{64}', campaign61\],\n)/m, `$1${line}`);
  writeFileSync(join(project, REGISTRY), added);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  addVersion(join(HERE, '../..'));
  console.log(
    `${FILE} and a line of ${REGISTRY} are added; \`git restore shared && git clean -f shared\` undoes it`,
  );
}
