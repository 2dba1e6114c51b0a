import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FatalError } from '../../../shared/errors.ts';

const javaWanted = 'a JDK of version 17 or later (Debian: apt-get install openjdk-17-jdk-headless)';
const toolMissing = 'SERVER_TOOL_MISSING';
const run = promisify(execFile);
const sources = fileURLToPath(new URL('../java/', import.meta.url));
const servers = fileURLToPath(new URL('../../../.servers/', import.meta.url));

/** Downloads and compiles what is missing. Resolves with the folder of the service's jars and classes. */
export async function installJava(service: 'kafka' | 'mongo'): Promise<string> {
  const from = join(sources, service);
  const files = (await readdir(from)).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(join(from, file)));
  const installed = join(servers, `${service}-${hash.digest('hex').slice(0, 12)}`);
  await tool('java', ['-version'], javaWanted);
  if (existsSync(installed)) return installed;

  await mkdir(servers, { recursive: true });
  const folder = await mkdtemp(join(servers, 'installing-'));
  try {
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`];
    await tool(
      'mvn',
      ['-q', '-B', '-f', join(from, 'pom.xml'), ...copy],
      'Maven (Debian: apt-get install maven)',
    );
    const java = files.filter((file) => file.endsWith('.java')).map((file) => join(from, file));
    if (java.length > 0) {
      await tool('javac', ['--release', '17', '-cp', join(folder, '*'), '-d', folder, ...java], javaWanted);
    }
    // Renamed when it is whole: an install that was cut off, or runs beside this one, is never used.
    await rename(folder, installed).catch((error: unknown) => {
      if (!existsSync(installed)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return installed;
}

/** The version in the name of an artifact's jar, which is the pom's. */
export async function jarVersion(jars: string, artifact: string): Promise<string> {
  const jar = (await readdir(jars)).find((file) => new RegExp(`^${artifact}-\\d.*\\.jar$`).test(file));
  return jar?.slice(artifact.length + 1, -'.jar'.length) ?? '';
}

/** Resolves with the version of redis-server, which apt installs where it is not on the PATH. */
export async function installRedis(): Promise<string> {
  const version = async () => {
    const said = await tool('redis-server', ['--version'], 'Redis 7 or later');
    return /v=([\d.]+)/.exec(said)?.[1] ?? said;
  };
  try {
    return await version();
  } catch (error) {
    if (!(error instanceof FatalError && error.code === toolMissing)) throw error;
  }
  const apt = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  const aptGet = (...args: string[]) =>
    tool('env', ['DEBIAN_FRONTEND=noninteractive', ...apt, ...args], 'apt');
  const install = () => aptGet('install', '-y', '--no-install-recommends', 'redis-server');
  try {
    // A fresh container has no lists of packages yet.
    await install().catch(() => aptGet('update').then(install));
  } catch (error) {
    const advice = 'install Redis 7 or later, or set REDIS_URL to a server of yours';
    throw new FatalError(toolMissing, `redis-server is not on the PATH: ${advice} (${String(error)})`, error);
  }
  return version();
}

/** Runs a program. Resolves with its output; rejects with what to install, or with what it said. */
async function tool(program: string, args: string[], install: string): Promise<string> {
  try {
    const { stdout, stderr } = await run(program, args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return stdout + stderr;
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    if (code === 'ENOENT') {
      throw new FatalError(toolMissing, `${program} is not on the PATH: install ${install}`, error);
    }
    throw new FatalError('SERVER_INSTALL_FAILED', `${program} failed: ${stdout}${stderr}`, error);
  }
}
