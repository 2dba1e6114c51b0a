import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { everyEndpoint } from './paths.ts';
import { type Program, runProgram } from './process.ts';

interface HandOver {
  apiUrl: string;
  opsUrl: string;
  chainUrl: string;
  daos: { address: string; version: string; token: string }[];
  campaigns: { address: string; dao: string; currency: string; status: string; hasVesting: boolean }[];
  proposals: { address: string; dao: string }[];
  wallets: { address: string; mnemonic: string; roles: string[]; campaign?: string }[];
}

describe('npm start: the demo', function () {
  this.timeout(5 * 60_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
  });

  after(() => rm(folder, { recursive: true }));

  async function start(): Promise<{ program: Program; handOver: HandOver }> {
    const env = { DATA_DIR: folder, PORT: '0', OPS_PORT: '0', DEMO_RATE: '3' };
    const program = runProgram('cli.ts', ['demo'], env);
    await program.line(/^The chain goes on/);
    const text = await readFile(join(folder, 'demo.json'), 'utf8');
    return { program, handOver: JSON.parse(text) as HandOver };
  }

  it('serves every endpoint with what the hand-over file tells, and goes on from its data', async () => {
    const first = await start();
    expect((await stat(join(folder, 'demo.json'))).mode & 0o777).to.equal(0o600);
    await expectEveryEndpoint(first.handOver);
    const before = await seqno(first.handOver);
    expect(await first.program.end('SIGINT')).to.equal(0);

    const second = await start();
    expect(second.handOver.daos.map(({ address }) => address)).to.deep.equal(
      first.handOver.daos.map(({ address }) => address),
    );
    expect(await seqno(second.handOver)).to.be.at.least(before);
    expect(await second.program.end('SIGTERM')).to.equal(0);
  });

  async function expectEveryEndpoint({ apiUrl, opsUrl, daos, campaigns, proposals, wallets }: HandOver) {
    for (const health of ['healthz', 'readyz'])
      expect((await fetch(`${opsUrl}/${health}`)).status).to.equal(200);
    expect((await fetch(`${apiUrl}/openapi.json`)).status).to.equal(200);
    const dao = daos.find(({ version }) => version === '6.1');
    const wallet = (role: string) => wallets.find(({ roles }) => roles.includes(role));
    const paths = everyEndpoint(dao?.address ?? '', { campaigns, proposals, wallets });
    for (const path of paths) {
      const headers = { authorization: `Bearer ${dao?.token}` };
      const response = await fetch(`${apiUrl}/api/v1/${path}`, { headers });
      expect(response.status, `${path}: ${await response.text()}`).to.equal(200);
    }
    for (const role of ['contributor', 'whitelisted', 'claimable', 'vesting'])
      expect(wallet(role)?.mnemonic.split(' '), role).to.have.length(24);
  }

  async function seqno({ apiUrl, daos }: HandOver): Promise<number> {
    const [dao] = daos;
    const headers = { authorization: `Bearer ${dao?.token}` };
    const response = await fetch(`${apiUrl}/api/v1/daos/${dao?.address}`, { headers });
    return Number(response.headers.get('x-indexed-seqno'));
  }
});
