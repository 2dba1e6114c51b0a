import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUITES = [
  ['event-log', 'eventLogConformance'],
  ['read-store', 'readStoreConformance'],
  ['revocations', 'revocationListConformance'],
] as const;
const ADAPTER = /^(embedded|kafka|mongo|redis)\.ts$/;

describe('Every adapter runs the conformance suite of its port', () => {
  const specs = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });

  for (const [port, suite] of SUITES) {
    for (const file of readdirSync(join(ROOT, 'shared', port)).filter((name) => ADAPTER.test(name))) {
      it(`shared/${port}/${file}`, () => {
        // In test/shared, or where its server is started: <anywhere>/<port>/<adapter>.spec.ts.
        const spec = join(port, file.replace('.ts', '.spec.ts'));
        const calling = specs
          .filter((path) => path.endsWith(spec))
          .map((path) => readFileSync(join(ROOT, 'test', path), 'utf8'));
        expect(calling.some((text) => text.includes(`\n${suite}(`))).to.equal(true);
      });
    }
  }
});
