import { fillIn, placeholdersOf } from '#lib/features/ai/placeholders.ts';
import { requireSavedReply } from '#lib/features/ai/saved-replies.ts';
import type { Template } from '#lib/features/ai/template.ts';
import { templateKey } from '#lib/features/ai/template-uses.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { requireOrganization } from '#lib/features/organizations/organizations.ts';
import { now } from '#lib/platform/clock.ts';
import { get } from '#lib/platform/db/read.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { dayIn, utc } from '#lib/platform/time-zone.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { replyToConversation } from '#schemas/conversations.ts';
import type { savedReplyVariables } from '#schemas/saved-replies.ts';

type Wanted = BodyOf<typeof replyToConversation>;

/** Returns a problem if both texts are given, or nothing to send. */
export function replyProblems({
  message,
  mediaIds = [],
  savedReplyId,
}: Partial<Wanted>): readonly string[] {
  if (message !== undefined && savedReplyId !== undefined) {
    return ['savedReplyId cannot be combined with message'];
  }

  return message === undefined && savedReplyId === undefined && mediaIds.length === 0
    ? ['message, mediaIds or savedReplyId is required']
    : [];
}

/**
 * Returns a function for the text of a person's reply: their own text, a saved reply, or none with
 * a file.
 */
export function textOfReply({ message, savedReplyId }: Wanted) {
  return async (conversation: Conversation): Promise<string> =>
    savedReplyId === undefined ? (message ?? '') : fillSavedReply(conversation, savedReplyId);
}

/**
 * @throws 404 for an unknown saved reply, 400 if its text consists only of placeholders without
 * values.
 */
async function fillSavedReply(conversation: Conversation, savedReplyId: string): Promise<string> {
  const { organizationId, customer, platform } = conversation;
  const [{ text: template }, organization] = await Promise.all([
    requireSavedReply(organizationId, savedReplyId),
    requireOrganization(organizationId),
  ]);
  const isLanguageUsed = placeholdersOf(template).includes('language');
  const values: Readonly<Record<(typeof savedReplyVariables)[number], string>> = {
    companyName: organization.name,
    customerName: customer.name || customer.id,
    platform: platformNames[platform],
    currentDate: dayIn(now(), organization.timezone ?? utc),
    language: isLanguageUsed ? await languageOf(conversation) : '',
  };
  const text = fillIn(template, values);
  if (text.trim() === '') {
    throw badRequest('savedReplyId names a reply without text in this conversation');
  }

  return text;
}

/** Returns the language of the template that answered last. */
async function languageOf({ organizationId, template }: Conversation): Promise<string> {
  const answering = template
    ? await get<Template>(templateKey(organizationId, template.kind, template.id))
    : undefined;

  return answering?.personalitySettings?.language ?? '';
}
