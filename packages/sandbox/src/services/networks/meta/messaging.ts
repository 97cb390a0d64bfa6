import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { detailsAt, isOnThisMachine } from '../medium-details.ts';
import type { NetworkCall } from '../network-definition.ts';
import {
  addSentMessage,
  lastMessageFrom,
  type NetworkWorld,
  type Person,
  type SandboxComment,
  type SandboxReply,
} from '../network-world.ts';
import { parametersOf, reject, rejectParameter, structureOf } from './api.ts';
import { readTemplate, templateSchema } from './button-template.ts';

const hourMs = 3_600_000;
const windowMs = 24 * hourMs;
const privateReplyMs = 7 * 24 * hourMs;

const recipientSchema = z.union([
  z.object({ comment_id: z.string().min(1) }),
  z.object({ id: z.string().min(1) }),
]);
const metadata = z.string().max(1_000).optional();
/** A message has a text or an attachment, never both. */
const messageSchema = z.union([
  z.object({
    text: z.string().min(1),
    attachment: z.undefined().optional(),
    metadata,
  }),
  z.object({
    text: z.undefined().optional(),
    attachment: z.union([
      z.object({
        type: z.enum(['image', 'video', 'audio', 'file']),
        payload: z.object({ url: z.url() }),
      }),
      templateSchema,
    ]),
    metadata,
  }),
]);
const maxImageBytes = 8_000_000;
const maxFileBytes = 25_000_000;

/** The limits for the text and the images of a message. */
export type MessageLimits = {
  readonly maximum: number;
  readonly lengthOf: (text: string) => number;
  readonly imageTypes: readonly string[];
};

/**
 * The Send API of pages and professional accounts: replies within 24 hours, and private replies.
 */
export async function sendMessage(
  call: NetworkCall,
  userId: string,
  limits: MessageLimits,
): Promise<SandboxAnswer> {
  const { world, request } = call;
  const parameters = parametersOf(request);
  const recipient = recipientSchema.safeParse(structureOf(parameters, 'recipient'));
  const message = messageSchema.safeParse(structureOf(parameters, 'message'));

  if (!recipient.success) {
    rejectParameter('The parameter recipient is required');
  }

  if (!message.success) {
    rejectParameter('The parameter message must have either text or attachment');
  }

  const { text = '', attachment, metadata: tag = null } = message.data;

  if (limits.lengthOf(text) > limits.maximum) {
    rejectParameter(
      `Length of param message[text] must be less than or equal to ${limits.maximum}`,
    );
  }

  const content = await contentOf(attachment, limits);
  const sent = { id: newMessageId(), userId, text, tag, ...content };

  if ('comment_id' in recipient.data) {
    const comment = claimPrivateReply(world, userId, recipient.data.comment_id);
    addSentMessage(world, { ...sent, customer: comment.from, inReplyTo: comment.id });

    return jsonAnswer(200, { recipient_id: comment.from.id, message_id: sent.id });
  }

  const customer = requireOpenWindow(world, userId, recipient.data.id);
  addSentMessage(world, { ...sent, customer });

  return jsonAnswer(200, { recipient_id: customer.id, message_id: sent.id });
}

type Attachment = { readonly type: string; readonly payload: { readonly url: string } };

/** Returns the file that the network fetches, or the text and the buttons of a template. */
async function contentOf(
  attachment: z.output<typeof messageSchema>['attachment'],
  limits: MessageLimits,
) {
  if (attachment === undefined) {
    return {};
  }

  return attachment.type === 'template'
    ? readTemplate(attachment.payload)
    : { attachments: [await fetchAttachment(attachment, limits)] };
}

/**
 * Fetches the file of a message. Meta rejects a file whose type differs from the type in the
 * message.
 */
async function fetchAttachment(
  { type, payload: { url } }: Attachment,
  { imageTypes }: MessageLimits,
): Promise<SandboxReply['attachments'][number]> {
  const { bytes, sha256, contentType } = await detailsAt(url);

  if (!isOnThisMachine(url)) {
    return { kind: type, url };
  }

  if (bytes === null || sha256 === null || contentType === null) {
    reject({
      status: 400,
      code: 100,
      subcode: 2018008,
      message: '(#100) Failed to fetch the file from the url',
    });
  }

  const isRightType =
    type === 'image' ? imageTypes.includes(contentType) : contentType.startsWith(`${type}/`);

  if (!isRightType || bytes > (type === 'image' ? maxImageBytes : maxFileBytes)) {
    reject({
      status: 400,
      code: 100,
      subcode: 2018047,
      message: '(#100) Upload attachment failure.',
    });
  }

  return { kind: type, url, bytes, sha256 };
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
