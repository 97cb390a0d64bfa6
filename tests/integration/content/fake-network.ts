import type { Connect } from '#lib/features/content/publishing/connection.ts';
import type {
  CommitOutcome,
  Credentials,
  Handle,
  Network,
  ProbeOutcome,
  Progress,
} from '#lib/vendors/networks/network.ts';

export type FakeNetwork = {
  readonly connect: Connect;
  /** The published texts in order. */
  readonly visible: string[];
  /** How often each step was called. */
  readonly calls: { prepare: number; commit: number; probe: number };
  prepare: (text: string, known?: Handle) => Promise<Progress>;
  /** Runs before the text becomes visible. */
  beforeCommit: (text: string) => Promise<void>;
  /** Runs after the text becomes visible and before the response. */
  afterCommit: (text: string) => Promise<CommitOutcome | undefined>;
  probe: (text: string) => Promise<ProbeOutcome>;
};

const credentials: Credentials = { platformUserId: 'page', accessToken: 'token' };

/** Returns an in-process network whose steps a test can delay or fail. */
export function fakeNetwork(): FakeNetwork {
  const visible: string[] = [];
  const calls = { prepare: 0, commit: 0, probe: 0 };
  const fake: FakeNetwork = {
    visible,
    calls,
    prepare: async () => ({ state: 'ready', handle: { container: 'c1' } }),
    beforeCommit: async () => undefined,
    afterCommit: async () => undefined,
    probe: async () => ({ state: 'unknown' }),
    connect: async () => async (use) => use(network as Network, credentials),
  };
  const network: Partial<Network> = {
    prepare: async (_, { text }, known) => {
      calls.prepare += 1;

      return fake.prepare(text, known);
    },
    commit: async (_, { text }) => {
      calls.commit += 1;
      await fake.beforeCommit(text);
      visible.push(text);
      const platformPostId = `fake-${text}-${visible.length}`;

      return (await fake.afterCommit(text)) ?? { state: 'published', platformPostId, url: null };
    },
    probe: async (_, { text }) => {
      calls.probe += 1;

      return fake.probe(text);
    },
  };

  return fake;
}

/** Returns a gate where a step waits until the test opens it. */
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
