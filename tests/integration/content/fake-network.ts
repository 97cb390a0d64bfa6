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
  /** The texts that were made visible, in their order. */
  readonly visible: string[];
  /** How often each step was called. */
  readonly calls: { prepare: number; commit: number; probe: number };
  prepare: (text: string, known?: Handle) => Promise<Progress>;
  /** What happens before the text becomes visible. */
  beforeCommit: (text: string) => Promise<void>;
  /** What happens between that and the answer. */
  afterCommit: (text: string) => Promise<CommitOutcome | undefined>;
  probe: (text: string) => Promise<ProbeOutcome>;
};

const credentials: Credentials = { platformUserId: 'page', accessToken: 'token' };

/** A network in this process, whose every step a test can hold up or let fail. */
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

/** A point at which a step waits until the test lets it go on. */
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
