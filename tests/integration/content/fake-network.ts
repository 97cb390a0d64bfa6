import { onTestFinished, vi } from 'vitest';
import type {
  CommitOutcome,
  Handle,
  PreparationProgress,
  ProbeOutcome,
} from '#lib/vendors/networks/network.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';
import type { Platform } from '#schemas/platforms.ts';

export type FakeNetwork = {
  /** The published texts in order. */
  readonly visible: string[];
  /** How often each step was called. */
  readonly calls: { prepare: number; commit: number; probe: number };
  prepare: (text: string, known?: Handle) => Promise<PreparationProgress>;
  /** Runs before the text becomes visible. */
  beforeCommit: (text: string) => Promise<void>;
  /** Runs after the text becomes visible and before the response. */
  afterCommit: (text: string) => Promise<CommitOutcome | undefined>;
  probe: (text: string) => Promise<ProbeOutcome>;
};

/**
 * Replaces how posts are published on a network until the test ends. The test can delay or fail
 * each step.
 */
export function fakeNetwork(platform: Platform = 'FACEBOOK'): FakeNetwork {
  const visible: string[] = [];
  const calls = { prepare: 0, commit: 0, probe: 0 };
  const fake: FakeNetwork = {
    visible,
    calls,
    prepare: async () => ({ state: 'ready', handle: { container: 'c1' } }),
    beforeCommit: async () => undefined,
    afterCommit: async () => undefined,
    probe: async () => ({ state: 'unknown' }),
  };
  const network = publishingOf(platform);
  const steps = [
    vi.spyOn(network, 'prepare').mockImplementation((_, { text }, known) => {
      calls.prepare += 1;

      return fake.prepare(text, known);
    }),
    vi.spyOn(network, 'commit').mockImplementation(async (_, { text }) => {
      calls.commit += 1;
      await fake.beforeCommit(text);
      visible.push(text);
      const platformPostId = `fake-${text}-${visible.length}`;

      return (await fake.afterCommit(text)) ?? { state: 'published', platformPostId, url: null };
    }),
    vi.spyOn(network, 'probe').mockImplementation((_, { text }) => {
      calls.probe += 1;

      return fake.probe(text);
    }),
  ];
  onTestFinished(() => {
    for (const step of steps) {
      step.mockRestore();
    }
  });

  return fake;
}

/** Returns a gate at which a step waits until the test opens it. */
export function gate() {
  const reached = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();

  return {
    wait: async () => {
      reached.resolve();
      await open.promise;
    },
    reached: reached.promise,
    open: () => open.resolve(),
  };
}
