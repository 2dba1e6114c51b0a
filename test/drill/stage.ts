import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoryFacts } from '../devnet/story/facts.ts';
import { type Program, runProgram } from '../service/process.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = ['cli.ts', 'package.json', 'tsconfig.json', 'indexer', 'projector', 'api', 'shared'];

/** What a command printed, and its exit code. */
export interface Done {
  code: number | null;
  output: string;
}

/** A devnet, and the service on top of it: each role a process of the elder program, on one data folder. */
export interface Stage {
  chainUrl: string;
  story: StoryFacts;
  /** A GET of the API, about the DAO of the token. */
  ask(path: string): Promise<Response>;
  /** A command of the elder program, to its end. */
  command(...args: string[]): Promise<Done>;
  /** A copy of the project that becomes the newer program; `start` keeps a command of it running. */
  newer: { folder: string; command(...args: string[]): Promise<Done>; start(...args: string[]): Program };
  close(): Promise<void>;
}

/** `dao` picks the DAO that the client's token speaks for. */
export async function setStage(dao: (story: StoryFacts) => string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'drill-'));
  const devnet = runProgram('test/devnet/main.ts', ['--data-dir', join(folder, 'devnet')]);
  const { url, story } = JSON.parse(await devnet.line(/^\{/)) as { url: string; story: StoryFacts };
  const settings = {
    DATA_DIR: join(folder, 'data'),
    TON_ENDPOINTS: url,
    TON_REQUESTS_PER_SECOND: '1000',
    TRACKED_DAOS: story.daos.map(({ address }) => address).join(','),
    PORT: '0',
    OPS_PORT: '0',
  };
  const copy = await copyOfProject(join(folder, 'newer'));
  const running: Program[] = [];
  const start = (cwd: string, ...args: string[]) => {
    const program = runProgram('cli.ts', args, settings, cwd);
    running.push(program);
    return program;
  };
  const command = async (cwd: string, ...args: string[]) => {
    const program = start(cwd, ...args);
    return { code: await program.ended, output: program.output() };
  };
  const serve = start(PROJECT, 'serve');
  const [, apiUrl = ''] = /^API on (\S+)/.exec(await serve.line(/^API on/)) ?? [];
  for (const role of ['index', 'project']) await start(PROJECT, role).line(/^Status page/);
  const { output: token } = await command(PROJECT, 'token', 'issue', dao(story));
  const headers = { authorization: `Bearer ${token.trim()}` };
  return {
    chainUrl: url,
    story,
    ask: (path) => fetch(`${apiUrl}/api/v1/${path}`, { headers }),
    command: (...args) => command(PROJECT, ...args),
    newer: {
      folder: copy,
      command: (...args) => command(copy, ...args),
      start: (...args) => start(copy, ...args),
    },
    close: async () => {
      await Promise.all(running.map((program) => program.end('SIGTERM')));
      await devnet.end('SIGTERM');
      await rm(folder, { recursive: true });
    },
  };
}

async function copyOfProject(folder: string): Promise<string> {
  for (const part of PARTS) await cp(join(PROJECT, part), join(folder, part), { recursive: true });
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
