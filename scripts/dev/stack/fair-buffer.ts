import type { Message } from '@aws-sdk/client-sqs';
import { tenantOf } from '#lib/platform/db/keys/key.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import { workMessage } from '#schemas/messages.ts';

/** Messages that a function must receive together: all messages of one group in a FIFO queue. */
type Unit = { readonly messages: readonly Message[]; readonly expiresAtMs: number };

export type FairBuffer = {
  readonly add: (messages: readonly Message[], expiresAtMs: number) => void;
  /** Takes at most `count` messages, one tenant after another. */
  readonly take: (count: number) => readonly Message[];
  readonly size: () => number;
};

/**
 * Keeps received messages until a function is free. Like in an SQS fair queue, a tenant with many
 * messages does not delay other tenants. The emulator returns messages in the order in which they
 * were sent.
 */
export function createFairBuffer(inOrder: boolean): FairBuffer {
  const waiting = new Map<string, Unit[]>();

  return {
    add: (messages, expiresAtMs) => {
      for (const unit of unitsOf(messages, inOrder)) {
        const tenant = tenantOfMessage(unit[0]);
        waiting.set(tenant, [...(waiting.get(tenant) ?? []), { messages: unit, expiresAtMs }]);
      }
    },
    take: (count) => {
      const taken: Message[] = [];
      for (const [tenant, units] of waiting) {
        const [next, ...rest] = units.filter(({ expiresAtMs }) => expiresAtMs > Date.now());
        if (next && taken.length + next.messages.length > count) {
          break;
        }
        // Deleting and adding it moves the tenant to the end of the queue.
        waiting.delete(tenant);
        if (rest.length > 0) {
          waiting.set(tenant, rest);
        }
        taken.push(...(next?.messages ?? []));
      }

      return taken;
    },
    size: () => [...waiting.values()].reduce((sum, units) => sum + units.length, 0),
  };
}

function unitsOf(messages: readonly Message[], inOrder: boolean): readonly Message[][] {
  return inOrder
    ? [...Map.groupBy(messages, ({ Attributes }) => Attributes?.MessageGroupId).values()]
    : messages.map((message) => [message]);
}

/** The emulator drops the group of messages in standard queues, so the key is read instead. */
function tenantOfMessage(message: Message | undefined): string {
  const { data } = workMessage.safeParse(parseJson(message?.Body ?? ''));

  return (data && tenantOf(data)) ?? '';
}
