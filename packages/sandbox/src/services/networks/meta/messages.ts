import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall } from '../network-definition.ts';
import { accountOf } from '../network-world.ts';
import { graphTime, requireGrant } from './api.ts';
import { nodeAnswer } from './fields.ts';
import { message } from './node-types.ts';

/** Reads a message of the account. Returns `undefined` if it has none with this id. */
export function readMessage(
  call: NetworkCall,
  userId: string,
  scope: string,
): SandboxAnswer | undefined {
  const { world, request, parts } = call;
  const [id = ''] = parts;
  const found = world.messages.get(id);

  if (found === undefined || found.userId !== userId) {
    return undefined;
  }

  requireGrant(call, scope);
  const account = { id: userId, name: accountOf(world, userId).name };
  const { customer, direction, text, at } = found;
  const [from, to] = direction === 'in' ? [customer, account] : [account, customer];

  return nodeAnswer(request, message, {
    id,
    created_time: graphTime(at),
    from,
    to: { data: [to] },
    message: text,
  });
}
