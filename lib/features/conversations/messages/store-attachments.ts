import type {
  Conversation,
  Message,
  StoredAttachment,
} from '#lib/features/conversations/conversation.ts';
import { findConversation } from '#lib/features/conversations/conversations.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { minuteMs, secondMs } from '#lib/platform/clock.ts';
import { absent, allOf, present } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { fetchPublic } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { removeFiles, saveFile } from '#lib/platform/storage/files.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { FileLocation } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import { fileOf, filesOfMessage, isReference } from './attachments.ts';

const maxBytes = 25_000_000;
const fetchMs = minuteMs;
/** Networks' links stay valid for at least an hour. */
const waitsMs = [10 * secondMs, minuteMs, 10 * minuteMs];

/** Thrown if a file cannot be stored now, but perhaps later. */
class FileUnavailableError extends Error {}

/**
 * Stores the files of a customer's message, or removes them if the message no longer has any. A
 * file that cannot be stored stays on the message without a link.
 */
export async function storeAttachments({
  key,
  payload,
}: WorkRequest<'attachments'>): Promise<WorkOutcome> {
  const { organizationId, conversationId, messageId } = payload;
  const messageKey = socialKeys.conversationMessage(organizationId, conversationId, messageId);
  const [conversation, message] = await Promise.all([
    findConversation(organizationId, conversationId),
    get<Message>(messageKey),
  ]);
  if (!conversation || !message?.attachments) {
    await removeFiles(filesOfMessage(organizationId, { id: messageId }));

    return 'done';
  }
  const account = await findSocialAccount(organizationId, conversation.socialAccountId);
  let isComplete = true;
  for (const attachment of message.attachments) {
    const isDone = await storeAttachment({ account, conversation, message }, attachment);
    isComplete &&= isDone;
  }
  const againInMs = isComplete ? undefined : waitsMs[(await countTries(key)) - 1];

  return againInMs === undefined ? 'done' : { againInMs };
}

async function countTries(key: WorkRequest<'attachments'>['key']): Promise<number> {
  const item = await write(change(key, { add: { fileTries: 1 } }));

  return Number(item?.fileTries ?? 1);
}

type Place = {
  readonly account: SocialAccount | undefined;
  readonly conversation: Conversation;
  readonly message: Message;
};

/** Returns false if another attempt may succeed. */
async function storeAttachment(place: Place, attachment: StoredAttachment): Promise<boolean> {
  if (attachment.isStored || isReference(attachment)) {
    return true;
  }
  try {
    const location = await locate(place, attachment);
    const stored = location && (await copyFile(place, attachment, location));
    if (stored) {
      await recordStored(place, stored);
    }

    return true;
  } catch (failure) {
    if (failure instanceof FileUnavailableError || isPassing(failure)) {
      return false;
    }
    if (failure instanceof OutboundError || failure instanceof NetworkError) {
      return true;
    }
    throw failure;
  }
}

function isPassing(failure: unknown): boolean {
  return (
    (failure instanceof OutboundError &&
      (failure.kind === 'timeout' || failure.kind === 'unreachable')) ||
    (failure instanceof NetworkError &&
      (failure.kind === 'unavailable' || failure.kind === 'rateLimited'))
  );
}

async function locate(
  { account, conversation, message }: Place,
  { sourceUrl: url, mediaId, kind }: StoredAttachment,
): Promise<FileLocation | undefined> {
  if (url !== undefined || mediaId === undefined || !account) {
    return url === undefined ? undefined : { url };
  }
  const { id: customerId } = conversation.customer;
  const file = { customerId, messageId: message.networkMessageId ?? '', mediaId, kind };

  return withMessagingToken(account, async (credentials) =>
    lookupsOf(account.platform).locateFile?.(credentials, file),
  );
}

/** Streams the file into the storage. Returns undefined if its server does not have it. */
async function copyFile(
  { conversation: { organizationId }, message }: Place,
  attachment: StoredAttachment,
  { url, headers = {} }: FileLocation,
): Promise<StoredAttachment | undefined> {
  const answer = await fetchPublic(url, { headers, timeoutMs: fetchMs, maxBytes });
  if (answer.status !== 200) {
    answer.body.destroy();
    if (answer.status >= 500 || answer.status === 429) {
      throw new FileUnavailableError(`The server of the file answered ${answer.status}`);
    }

    return undefined;
  }
  let bytes = 0;
  async function* counted() {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  const contentType = contentTypeOf(answer.headers['content-type']);
  await saveFile(fileOf(organizationId, message, { ...attachment, contentType }), counted());

  return { ...attachment, contentType, bytes, isStored: true };
}

function contentTypeOf(header = ''): string {
  const [type = ''] = header.toLowerCase().split(';');

  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type.trim())
    ? type.trim()
    : 'application/octet-stream';
}

/**
 * Stores the result. Removes the file again if the message was withdrawn or deleted in the
 * meantime.
 */
async function recordStored(
  { conversation: { organizationId, id }, message }: Place,
  stored: StoredAttachment,
): Promise<void> {
  const key = socialKeys.conversationMessage(organizationId, id, message.id);
  const latest = await get<Message>(key);
  const attachments = latest?.attachments?.map((one) => (one.id === stored.id ? stored : one));
  const isRecorded =
    attachments !== undefined &&
    (await writeIfMet(
      change(key, { set: { attachments }, when: allOf(present('text'), absent('deletedAt')) }),
    ));
  if (!isRecorded) {
    await removeFiles(fileOf(organizationId, message, stored).key);
  }
}
