import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Silences what the browser does of its own accord, and nobody here has asked for. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** Chromium from the installed packages, or the one that CHROMIUM_PATH names. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  // In a single process, the first page that closes takes the browser with it.
  const own = chromium.args.filter((argument) => argument !== '--single-process');

  return playwright.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: [...own, ...quiet],
    headless: true,
  });
}
