import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { FatalError } from '../../../shared/errors.ts';

const run = promisify(execFile);
const executablePath = '/usr/bin/chromium';

/** The browser talks to the page under test alone. */
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless Chromium, which apt installs where there is none. It is the caller's to close. */
export async function startChromium(): Promise<Browser> {
  if (!existsSync(executablePath)) await install();
  try {
    return await chromium.launch({ executablePath, args });
  } catch (error) {
    throw new FatalError('CHROMIUM_FAILED', `${executablePath} does not start: ${String(error)}`, error);
  }
}

async function install(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const [program = '', ...rest] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  const aptGet = (...what: string[]) => run(program, [...rest, ...what], { env });
  const chosen = () => aptGet('install', '-y', '--no-install-recommends', 'chromium');
  try {
    // A fresh container has no lists of packages yet.
    await chosen().catch(() => aptGet('update').then(chosen));
  } catch (error) {
    const advice = 'install it (Debian: apt-get install chromium)';
    throw new FatalError(
      'SERVER_TOOL_MISSING',
      `There is no ${executablePath}: ${advice} (${String(error)})`,
      error,
    );
  }
}
