import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import type { Publication } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';

/**
 * The result of a call that makes a post visible:
 * - `lost`: it takes effect, but the response is lost. `unsent`: the same without effect.
 * - `refused` and `down`: rejected, permanently or not.
 */
export type Trouble = 'lost' | 'unsent' | 'refused' | 'down';

type Visible = { readonly id: string; readonly text: string; readonly replyTo: string | undefined };

const kinds = {
  lost: 'outcomeUnknown',
  unsent: 'outcomeUnknown',
  refused: 'refused',
  down: 'unavailable',
} as const;

/** Replaces how posts are published on X until the test ends. Troubles apply to calls in order. */
export function threadNetwork() {
  const run = randomUUID();
  const visible: Visible[] = [];
  const troubles: Array<Trouble | undefined> = [];
  const network = publishingOf('TWITTER');
  const steps = [
    vi.spyOn(network, 'prepare').mockResolvedValue({ state: 'ready', handle: {} }),
    vi.spyOn(network, 'commit').mockImplementation(async (_, { text, replyTo }) => {
      const trouble = troubles.shift();
      const id = `${text}-${run}`;
      if (trouble === undefined || trouble === 'lost') {
        visible.push({ id, text, replyTo });
      }
      if (trouble !== undefined) {
        throw new NetworkError('TWITTER', kinds[trouble], { message: `The call is ${trouble}` });
      }

      return { state: 'published', platformPostId: id, url: null };
    }),
    vi.spyOn(network, 'probe').mockImplementation(async (_, sent: Publication) => {
      const found = visible.find(
        ({ text, replyTo }) => text === sent.text && replyTo === sent.replyTo,
      );

      return found
        ? { state: 'published', platformPostId: found.id, url: null }
        : { state: 'absent', reason: 'X does not list it' };
    }),
  ];
  onTestFinished(() => {
    for (const step of steps) {
      step.mockRestore();
    }
  });

  return { visible, troubles };
}
