import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { addSentMessage, numericId } from '../network-world.ts';
import { bodyOf, rejectForbidden, rejectInvalid, requireGrant } from './api.ts';

const message = z.object({ text: z.string().min(1).max(10_000) });

/** Private messages. */
export const messageRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/2\/dm_conversations\/with\/([^/]+)\/messages$/, answer: send },
];

/** Sends a message. The sandbox accepts only recipients who have written to the account. */
function send(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'dm.write', 'dm.read', 'tweet.read', 'users.read');
  const [participantId = ''] = call.parts;
  const { world } = call;
  const parsed = message.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    rejectInvalid('text is required');
  }

  const customer = [...world.messages.values()].findLast(
    (one) => one.userId === userId && one.customer.id === participantId,
  )?.customer;

  if (customer === undefined) {
    rejectForbidden('You do not have permission to DM one or more participants.');
  }

  const id = numericId(19);
  addSentMessage(world, { id, userId, customer, text: parsed.data.text, tag: null });
  const conversation = [userId, participantId].sort().join('-');

  return jsonAnswer(201, { data: { dm_conversation_id: conversation, dm_event_id: id } });
}
