import { AsyncLocalStorage } from 'node:async_hooks';
import { documentClient } from '#lib/platform/db/client.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';

type Slow<Answer> = {
  /** Starts the call. */
  readonly begin: () => Promise<Answer>;
  /** The kind of DynamoDB call to hold. The first one of this kind is held. */
  readonly operation?: 'TransactWrite' | 'Update' | 'Delete' | 'Get';
  /** Limits it to calls that write this item. */
  readonly key?: Key | undefined;
};

type Held = Required<Pick<Slow<unknown>, 'operation'>> &
  Pick<Slow<unknown>, 'key'> & {
    isReached: boolean;
    readonly reach: () => void;
    readonly until: Promise<void>;
  };

const slowCall = new AsyncLocalStorage<Held>();

documentClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      const held = slowCall.getStore();
      if (held && !held.isReached && isHeld(held, commandName, args.input as Input)) {
        held.isReached = true;
        held.reach();
        await held.until;
      }

      return next(args);
    },
  { step: 'initialize', name: 'overtake' },
);

type Input = {
  readonly Key?: Key;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly Key?: Key }>>[];
};

function isHeld({ operation, key }: Held, commandName: string, input: Input): boolean {
  const items = (input.TransactItems ?? []).flatMap(Object.values);
  const keys = [input, ...items].map(({ Key: one }) => one);

  return (
    commandName.startsWith(operation) &&
    (!key || keys.some((one) => one?.pk === key.pk && one?.sk === key.sk))
  );
}

/** Runs another action after a slow call has read everything and directly before it writes. */
export async function overtake<Answer, Other>(
  { begin, operation = 'TransactWrite', key }: Slow<Answer>,
  other: () => Promise<Other>,
): Promise<{ readonly answer: Answer; readonly other: Other }> {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held = {
    operation,
    key,
    isReached: false,
    reach: reached.resolve,
    until: released.promise,
  };
  const running = slowCall.run(held, begin);
  try {
    await Promise.race([reached.promise, running]);
    if (!held.isReached) {
      throw new Error(`It ended without a ${operation}: ${JSON.stringify(await running)}`);
    }
    const done = await other();
    released.resolve();

    return { answer: await running, other: done };
  } finally {
    released.resolve();
  }
}
