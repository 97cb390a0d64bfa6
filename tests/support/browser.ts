import { createRequire } from 'node:module';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { patiently } from './patience.ts';

/** Leaves the test time to fail with the locator that was not found. */
const actionTimeoutMs = patiently.timeout / 2;

/**
 * Connects a test file to the Chromium of this run. After the file's last test, the connection and
 * its pages are closed. Call it at the top level of the file.
 */
export async function useBrowser(): Promise<Browser> {
  const browser = await openBrowser();
  afterAll(() => browser.close());

  return browser;
}

async function openBrowser(): Promise<Browser> {
  const answer = await fetch(inject('browserUrl'));
  const address = await answer.text();
  if (!answer.ok) {
    throw new Error(`Chromium does not start: ${address}`);
  }

  const browser = await playwright.connect(address);
  browser.on('context', (context) => context.setDefaultTimeout(actionTimeoutMs));

  return browser;
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const ruleSets = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
type Findings = Readonly<Record<'violations' | 'incomplete', readonly Finding[]>>;

/** Rules that axe cannot decide for gradients, and for frames that it does not check. */
const undecidable: ReadonlySet<string> = new Set(['color-contrast', 'frame-tested']);

export const colorSchemes = ['light', 'dark'] as const;

export type ColorScheme = (typeof colorSchemes)[number];

/**
 * Returns axe's findings for a page in light and in dark mode, including undecided ones. If the
 * page has a content security policy, its context needs `bypassCSP`.
 */
export async function accessibilityProblems(
  page: Page,
  {
    iframes = true,
    schemes = colorSchemes,
  }: { readonly iframes?: boolean; readonly schemes?: readonly ColorScheme[] } = {},
): Promise<readonly string[]> {
  const options = { runOnly: ruleSets, resultTypes: ['violations', 'incomplete'], iframes };
  const problems: string[] = [];
  if (schemes.length > 0 && !(await page.evaluate('"axe" in window'))) {
    await page.addScriptTag({ path: axe });
  }
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const { violations, incomplete } = await page.evaluate<Findings>(
      `axe.run(${JSON.stringify({ ...options, preload: false })})`,
    );
    const found = [...violations, ...incomplete.filter(({ id }) => !undecidable.has(id))];
    problems.push(
      ...found.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ html }) => html)}`),
    );
  }

  return problems;
}
