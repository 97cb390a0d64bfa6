import { describe, expect, it } from 'vitest';
import { readImports } from '#scripts/build/check/layers/imports.ts';

const imports = new Map<string, string[]>();
for (const { from, to, isTypeOnly } of readImports()) {
  if (!isTypeOnly && /^(?:functions|lib|schemas)\//.test(to)) {
    imports.set(from, [...(imports.get(from) ?? []), to]);
  }
}

/**
 * Returns the project's files that a function loads, without files from which only types are
 * imported.
 */
function filesOf(entry: string): readonly string[] {
  const found = new Set([entry]);
  for (const file of found) {
    for (const imported of imports.get(file) ?? []) {
      found.add(imported);
    }
  }

  return [...found];
}

function partsOf(entry: string): readonly string[] {
  const ports = filesOf(entry).map((file) => /networks\/ports\/([\w-]+)\.ts$/.exec(file)?.[1]);

  return ports.filter((part) => part !== undefined).sort();
}

describe('a function', () => {
  // Raise a number only for files that the function needs.
  it.each([
    ['functions/leads/create-lead.ts', 102],
    ['functions/workers/replies.ts', 215],
    ['functions/workers/inbound-events.ts', 159],
    ['functions/content/create-content-post.ts', 197],
    ['functions/billing/receive-payment-event.ts', 62],
    ['functions/workers/payment-events.ts', 85],
    ['functions/social/connect-oauth-session.ts', 147],
    ['functions/social/receive-oauth-callback.ts', 101],
  ])('%s loads at most %i files', (entry, maxFiles) => {
    expect(filesOf(entry).length).toBeLessThanOrEqual(maxFiles);
  });

  it.each([
    ['functions/social/receive-oauth-callback.ts', ['oauth']],
    ['functions/social/receive-network-events.ts', ['events']],
    ['functions/workers/replies.ts', ['messages', 'tokens']],
    ['functions/workers/inbound-events.ts', ['lookups', 'tokens']],
    ['functions/content/create-content-post.ts', ['own-comments', 'publishing', 'tokens']],
    ['functions/social/connect-oauth-session.ts', ['subscriptions', 'tokens']],
  ])('%s loads the parts %j of the networks', (entry, parts) => {
    expect(partsOf(entry)).toEqual(parts);
  });
});
