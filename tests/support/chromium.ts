import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import type { LaunchOptions } from 'playwright-core';

/** Turns off features that the tests do not use, such as the browser's own background requests. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // No test looks at the pixels.
  '--disable-gpu',
];

/**
 * In single-process mode, closing the first page would close the browser. Without web security, the
 * browser would neither send `Origin` nor apply CORS. Without a zygote, pages start more slowly.
 */
const refused = ['--single-process', '--disable-web-security', '--no-zygote'];

/** Returns the options that start the Chromium installed by npm, or the one at CHROMIUM_PATH. */
export async function chromiumOptions(): Promise<LaunchOptions> {
  const own = chromium.args.filter((argument) => !refused.includes(argument));

  return { executablePath: await executable(), args: [...own, ...quiet], headless: true };
}

async function executable(): Promise<string> {
  return process.env.CHROMIUM_PATH ?? (await chromium.executablePath());
}

/** Returns the reason why Chromium cannot run on this machine, or undefined. */
export async function chromiumProblem(): Promise<string | undefined> {
  try {
    await promisify(execFile)(await executable(), ['--version']);

    return undefined;
  } catch (failure) {
    const [reason] = String((failure as { stderr?: string }).stderr || failure).split('\n');

    return reason;
  }
}
