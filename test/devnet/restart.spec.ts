import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TonClient4 } from '@ton/ton';
import { expect } from 'chai';
import type { BlockId } from './chain/block.ts';
import { startDevnet } from './devnet.ts';
import type { StoryFacts } from './story/facts.ts';

interface Running {
  process: ChildProcess;
  url: string;
  client: TonClient4;
  story: StoryFacts;
}

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

describe('devnet: as a process of its own', () => {
  let folder: string;
  const started: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'devnet-restart-'));
  });
  afterEach(async () => {
    for (const process of started.splice(0)) {
      if (process.exitCode === null && process.signalCode === null) {
        process.kill('SIGKILL');
        await once(process, 'exit');
      }
    }
    await rm(folder, { recursive: true });
  });

  /** Starts `main.ts` on the folder and waits for the line that says where it listens. */
  const start = async (...options: string[]): Promise<Running> => {
    const devnet = spawn(process.execPath, ['--import', 'tsx', main, '--data-dir', folder, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(devnet);
    let output = '';
    for await (const chunk of devnet.stdout) {
      output += String(chunk);
      if (output.includes('\n')) {
        break;
      }
    }
    const { url, story } = JSON.parse(output) as { url: string; story: StoryFacts };
    return { process: devnet, url, client: new TonClient4({ endpoint: url }), story };
  };
  const stop = async ({ process }: Running, signal: NodeJS.Signals) => {
    process.kill(signal);
    const [code] = (await once(process, 'exit')) as [number | null];
    return code;
  };
  const headOf = async ({ client }: Running): Promise<BlockId> => (await client.getLastBlock()).last;
  const beyond = async (devnet: Running, seqno: number): Promise<BlockId> => {
    for (;;) {
      const head = await headOf(devnet);
      if (head.seqno >= seqno) {
        return head;
      }
      await sleep(20);
    }
  };
  /** All that the chain says up to a block: its listings, which cover every transaction's hash. */
  const listings = async ({ client }: Pick<Running, 'client'>, upTo: number) => {
    const blocks = [];
    for (let seqno = upTo; seqno > upTo - 30; seqno--) {
      blocks.push(await client.getBlock(seqno));
    }
    return blocks;
  };

  it('goes on with the same chain after SIGKILL in the midst of its activity', async () => {
    const first = await start('--rate', '40', '--block-interval', '100');
    const { seqno: begin } = await headOf(first);
    const before = await beyond(first, begin + 12);
    const seen = await listings(first, before.seqno);
    await stop(first, 'SIGKILL');

    const second = await start('--rate', '40', '--block-interval', '100');
    expect(second.story).to.deep.equal(first.story);
    expect(await listings(second, before.seqno)).to.deep.equal(seen);
    await beyond(second, before.seqno + 12);
    expect(await listings(second, before.seqno)).to.deep.equal(seen);
    expect(await stop(second, 'SIGTERM')).to.equal(0);
  });

  it('stops cleanly on SIGINT', async () => {
    const devnet = await start();
    expect(await stop(devnet, 'SIGINT')).to.equal(0);
  });

  it('reveals the story at its pace, and goes on where it was when it is started again', async () => {
    const first = await start('--pace', '30');
    const { seqno } = await beyond(first, 40);
    const later = await first.client.getBlock(seqno + 500).catch((error: unknown) => error);
    expect(String(later)).to.contain('out of scope');
    await stop(first, 'SIGKILL');

    const second = await start('--pace', '1');
    expect((await headOf(second)).seqno).to.be.within(seqno, seqno + 400);
    const all = await startAllAtOnce();
    expect(await listings(second, seqno)).to.deep.equal(await listings(all, seqno));
    await stop(second, 'SIGTERM');
    await all.close();
  });

  const startAllAtOnce = async () => {
    const other = await mkdtemp(join(tmpdir(), 'devnet-whole-'));
    const devnet = await startDevnet({ dataDir: other, port: 0 });
    const client = new TonClient4({ endpoint: devnet.url });
    const close = async () => {
      await devnet.close();
      await rm(other, { recursive: true });
    };
    return { client, close };
  };

  it('hides accounts, transactions and get-methods of blocks that are not revealed yet', async () => {
    const devnet = await start('--pace', '1');
    const head = await headOf(devnet);
    const dao = devnet.story.daos[0]?.address ?? '';
    const url = `${devnet.url}/block/${head.seqno + 300}/${dao}`;
    for (const path of ['', '/lite', '/changed/0', '/run/get_version']) {
      const response = await fetch(`${url}${path}`);
      expect(await response.json()).to.deep.equal({ exist: false });
    }
  });

  it('refuses to tell another story in the same folder', async () => {
    const devnet = await startDevnet({ dataDir: folder, port: 0 });
    await devnet.close();
    const refusal = await startDevnet({ dataDir: folder, port: 0, seed: 'other' }).catch(
      (error: unknown) => error,
    );
    expect(String(refusal)).to.contain('give the other one its own');
  });
});
