import type { CustomerEvent } from './network-definition.ts';
import type { NetworkWorld, SandboxMessage } from './network-world.ts';

/** Stores the message of an event. An event with the id of a stored message repeats it. */
export function keepMessage(
  world: NetworkWorld,
  event: Pick<CustomerEvent, 'userId' | 'from' | 'text' | 'at' | 'echo'>,
  id: string,
): SandboxMessage {
  const sent: SandboxMessage = world.messages.get(id) ?? {
    id,
    userId: event.userId,
    customer: event.from,
    direction: event.echo ? 'out' : 'in',
    text: event.text,
    at: event.at,
    tag: null,
    isFromService: false,
  };
  world.messages.set(id, sent);

  return sent;
}
