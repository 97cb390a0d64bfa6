import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall } from '../network-definition.ts';
import {
  addSentMessage,
  lastMessageFrom,
  type NetworkWorld,
  type Person,
  type SandboxComment,
} from '../network-world.ts';
import { parametersOf, reject, rejectParameter, structureOf } from './api.ts';

const hourMs = 3_600_000;
const windowMs = 24 * hourMs;
const privateReplyMs = 7 * 24 * hourMs;

const recipientSchema = z.union([
  z.object({ comment_id: z.string().min(1) }),
  z.object({ id: z.string().min(1) }),
]);
const messageSchema = z.object({
  text: z.string().min(1),
  metadata: z.string().max(1_000).optional(),
});

/** The limit for the text of a message. */
export type TextLimit = {
  readonly maximum: number;
  readonly lengthOf: (text: string) => number;
};

/**
 * The Send API of pages and professional accounts: replies within 24 hours, and private replies.
 */
export function sendMessage(
  call: NetworkCall,
  userId: string,
  { maximum, lengthOf }: TextLimit,
): SandboxAnswer {
  const { world, request } = call;
  const parameters = parametersOf(request);
  const recipient = recipientSchema.safeParse(structureOf(parameters, 'recipient'));
  const message = messageSchema.safeParse(structureOf(parameters, 'message'));

  if (!recipient.success) {
    rejectParameter('The parameter recipient is required');
  }

  if (!message.success) {
    rejectParameter('The parameter message is required');
  }

  if (lengthOf(message.data.text) > maximum) {
    rejectParameter(`Length of param message[text] must be less than or equal to ${maximum}`);
  }

  const id = newMessageId();
  const { text, metadata: tag = null } = message.data;

  if ('comment_id' in recipient.data) {
    const comment = claimPrivateReply(world, userId, recipient.data.comment_id);
    addSentMessage(world, {
      id,
      userId,
      customer: comment.from,
      text,
      tag,
      inReplyTo: comment.id,
    });

    return jsonAnswer(200, { recipient_id: comment.from.id, message_id: id });
  }

  const customer = requireOpenWindow(world, userId, recipient.data.id);
  addSentMessage(world, { id, userId, customer, text, tag });

  return jsonAnswer(200, { recipient_id: customer.id, message_id: id });
}

export function newMessageId(): string {
  return `m_${randomBytes(24).toString('base64url')}`;
}

function requireOpenWindow(world: NetworkWorld, userId: string, customerId: string): Person {
  const last = lastMessageFrom(world, userId, customerId);
  const customer = [...world.messages.values()].findLast(
    (one) => one.userId === userId && one.customer.id === customerId,
  )?.customer;

  if (customer === undefined) {
    reject({ status: 400, code: 100, subcode: 2018001, message: '(#100) No matching user found' });
  }

  if (last === undefined || world.clock().getTime() - last.getTime() > windowMs) {
    reject({
      status: 400,
      code: 10,
      subcode: 2018278,
      message: '(#10) This message is sent outside of allowed window.',
    });
  }

  return customer;
}

/** Allows one private reply per comment, within seven days. */
function claimPrivateReply(world: NetworkWorld, userId: string, commentId: string): SandboxComment {
  const comment = world.comments.get(commentId);

  if (comment === undefined || comment.userId !== userId) {
    return reject({
      status: 400,
      code: 100,
      subcode: 33,
      type: 'GraphMethodException',
      message: `Object with ID '${commentId}' does not exist`,
    });
  }

  if (comment.isAnsweredPrivately) {
    reject({ status: 400, code: 10900, message: '(#10900) Activity already replied to' });
  }

  if (world.clock().getTime() - Date.parse(comment.at) > privateReplyMs) {
    reject({
      status: 400,
      code: 10903,
      message: '(#10903) This user cannot reply to this activity',
    });
  }

  world.comments.set(commentId, { ...comment, isAnsweredPrivately: true });

  return comment;
}
