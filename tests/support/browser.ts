import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Turns off the browser's own background requests. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** Starts the installed Chromium, or the one at CHROMIUM_PATH. The caller must close it. */
export async function openBrowser(): Promise<Browser> {
  // In single-process mode, closing the first page would close the browser.
  const own = chromium.args.filter((argument) => argument !== '--single-process');

  return playwright.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: [...own, ...quiet],
    headless: true,
  });
}
