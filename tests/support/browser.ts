import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  type Page,
  chromium as playwright,
} from 'playwright-core';
import { afterAll } from 'vitest';
import { chromiumOptions } from './chromium.ts';
import { patiently } from './patience.ts';

/** Leaves the test time to fail with the locator that was not found. */
const actionTimeoutMs = patiently.timeout / 2;

let launched: Promise<Browser> | undefined;

/**
 * Returns the Chromium that all files of this worker share. It ends with the worker. After a file's
 * last test, the pages that it left open are closed. Call it at the top level of the file.
 */
export function useBrowser(): Promise<Browser> {
  launched ??= launch();
  afterAll(closePages);

  return launched;
}

async function launch(): Promise<Browser> {
  const browser = await playwright.launch(await chromiumOptions());
  browser.on('context', (context) => context.setDefaultTimeout(actionTimeoutMs));

  return browser;
}

async function closePages(): Promise<void> {
  const contexts = (await launched)?.contexts() ?? [];
  await Promise.all(contexts.filter(isOpen).map((context) => context.close()));
}

function isOpen(context: BrowserContext): boolean {
  return context.pages().length > 0;
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
