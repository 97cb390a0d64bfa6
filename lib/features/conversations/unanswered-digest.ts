import { responsibleMembers } from '#lib/features/organizations/members.ts';
import { findOrganization, type Organization } from '#lib/features/organizations/organizations.ts';
import { listUsers, type User } from '#lib/features/users/users.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { config } from '#lib/platform/config.ts';
import { allOf, type Condition, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { type Key, tenantOf } from '#lib/platform/db/keys/key.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { socialRanges } from '#lib/platform/db/keys/social.ts';
import { findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { unansweredMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { utc } from '#lib/platform/time-zone.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { Conversation } from './conversation.ts';
import { readConversations, type UnansweredEntry } from './conversation-entries.ts';
import { planConversationChange } from './conversations.ts';
import { lastTextOf, quotedSource, withMailed } from './waiting.ts';

const batchPerShard = 250;
const organizationsAtOnce = 5;
const entriesAtOnce = 20;
const reserveMs = 15_000;
const listedAtMost = 20;
const notDue = { duePk: null, dueAt: null };

/**
 * Emails members about conversations in which no agent answers. Processes new entries in the list
 * of unanswered conversations, and members who get the remaining entries later. Runs may overlap or
 * crash anywhere, because a mail is planned in the transaction that records its recipient.
 *
 * @returns the number of mails.
 * @throws AggregateError if some organizations failed, after trying all of them.
 */
export async function sendUnansweredDigests(remainingMs: () => number): Promise<number> {
  const until = timestamp();
  const tried = new Set<string>();
  const failures: unknown[] = [];
  let sent = 0;
  while (remainingMs() > reserveMs) {
    const due = await findDueItems('UNANSWERED', batchPerShard, until);
    const organizationIds = new Set(due.flatMap((item) => tenantOf(item) ?? []));
    const untried = [...organizationIds].filter((id) => !tried.has(id));
    if (untried.length === 0) {
      break;
    }
    await atMostAtOnce(organizationsAtOnce, untried, async (organizationId) => {
      tried.add(organizationId);
      try {
        sent += await digestOrganization(organizationId);
      } catch (failure) {
        failures.push(failure);
      }
    });
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} organizations got no digest`);
  }

  return sent;
}

type Entry = UnansweredEntry & Key;

/** Starts over if something else changes concurrently. Nobody is mailed twice. */
async function digestOrganization(organizationId: string): Promise<number> {
  let sent = 0;
  await retryWhenOvertaken('list of unanswered conversations', async () => {
    const [members, entries, organization] = await Promise.all([
      query<Membership>(organizationRanges.members(organizationId)),
      query<UnansweredEntry>(socialRanges.unansweredConversations(organizationId)),
      findOrganization(organizationId),
    ]);
    if (isSuspended(organization, members)) {
      await atMostAtOnce(entriesAtOnce, [...entries, ...members], waitForEnd);

      return;
    }
    const { timezone = utc } = organization ?? {};
    const pending = pendingByMember(members, entries);
    const users = await listUsers([...pending.keys()]);
    for (const member of members) {
      const user = users.find(({ userId }) => userId === member.userId);
      const left = pending.get(member.userId) ?? [];
      sent += (await digestMember(member, user, { left, timezone })) ? 1 : 0;
    }
    await atMostAtOnce(entriesAtOnce, entries, endDue);
  });

  return sent;
}

/** After a suspension ends, members may still be marked as suspended for a moment. */
function isSuspended(
  organization: Organization | undefined,
  members: readonly Membership[],
): boolean {
  return (
    organization?.suspendedAt !== undefined || members.some((member) => member.isSuspended === true)
  );
}

const suspendedWaitMs = 5 * minuteMs;

/** Postpones due entries, so that members are notified after the suspension. */
async function waitForEnd({ pk, sk, dueAt }: Key & { readonly dueAt?: string }): Promise<void> {
  if (dueAt !== undefined && dueAt <= timestamp()) {
    const set = { dueAt: timestamp(suspendedWaitMs) };
    await writeIfMet(change({ pk, sk }, { set, when: equals('dueAt', dueAt) }));
  }
}

/**
 * Returns the conversations that each member must be mailed about. Those that have waited longest
 * come first.
 */
function pendingByMember(
  members: readonly Membership[],
  entries: readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> {
  const pending = new Map<string, Entry[]>();
  for (const entry of entries.toSorted((one, other) => one.since.localeCompare(other.since))) {
    for (const { userId } of recipientsOf(entry, members)) {
      const left = pending.get(userId) ?? [];
      left.push(entry);
      pending.set(userId, left);
    }
  }

  return pending;
}

/**
 * If the assignee turned off the digest, all other members are mailed, so that no customer is
 * overlooked.
 */
function recipientsOf(
  { assigneeId, mailedTo = [] }: Entry,
  members: readonly Membership[],
): readonly Membership[] {
  if (assigneeId && mailedTo.includes(assigneeId)) {
    return [];
  }
  const responsible = responsibleMembers(members, 'unanswered', assigneeId);
  const recipients =
    responsible.length > 0 ? responsible : responsibleMembers(members, 'unanswered', undefined);

  // If anybody was mailed about the conversation, its assignee is not mailed: the assignment has
  // sent a separate mail.
  return recipients.filter(({ userId }) =>
    userId === assigneeId ? mailedTo.length === 0 : !mailedTo.includes(userId),
  );
}

type Digest = {
  /** The conversations that the member must still be mailed about. */
  readonly left: readonly Entry[];
  readonly timezone: string;
};

/**
 * Returns whether the member was mailed. If the mail must wait, the conversations become due later.
 */
async function digestMember(
  member: Membership,
  user: User | undefined,
  { left, timezone }: Digest,
): Promise<boolean> {
  const { organizationId, userId, digestedAt } = member;
  const notBefore = digestedAt && new Date(Date.parse(digestedAt) + windowMs()).toISOString();
  if (notBefore && notBefore > timestamp()) {
    await write(...planDue(member, left.length > 0 ? notBefore : undefined));

    return false;
  }
  const { listed, more } = await pick(member, left);
  if (!user || listed.length === 0) {
    await write(...planDue(member, undefined));

    return false;
  }
  const dueAt = more > 0 ? timestamp(windowMs()) : undefined;
  await write(
    change(organizationKeys.member(organizationId, userId), {
      set: { digestedAt: timestamp(), ...dueFields(member, dueAt) },
      when: isAsRead(member),
    }),
    ...listed.flatMap((one) => planConversationChange(one, withMailed(one, [member]))),
    await planDigest(organizationId, { listed, more, to: user.email, timezone }),
  );

  return true;
}

function windowMs(): number {
  return config.unansweredDigestMinutes * minuteMs;
}

function isAsRead({ role, digestedAt, dueAt, notify_unanswered }: Membership): Condition {
  return allOf(
    unchanged('role', role),
    unchanged('digestedAt', digestedAt),
    unchanged('dueAt', dueAt),
    unchanged('notify_unanswered', notify_unanswered),
  );
}

function dueFields({ userId }: Membership, dueAt: string | undefined) {
  return dueAt === undefined ? notDue : dueIn('UNANSWERED', dueAt, userId);
}

function planDue(member: Membership, dueAt: string | undefined): readonly Write[] {
  const { organizationId, userId } = member;

  return member.dueAt === dueAt
    ? []
    : [
        change(organizationKeys.member(organizationId, userId), {
          set: dueFields(member, dueAt),
          when: isAsRead(member),
        }),
      ];
}

type Picked = {
  readonly listed: readonly Conversation[];
  /** The number of conversations that are left for the next digests. */
  readonly more: number;
};

/**
 * Reads conversations until there are enough to list. Some were answered after the list was read.
 */
async function pick(
  { organizationId, userId }: Membership,
  left: readonly Entry[],
): Promise<Picked> {
  const listed: Conversation[] = [];
  let read = 0;
  while (listed.length < listedAtMost && read < left.length) {
    const entries = left.slice(read, read + listedAtMost - listed.length);
    const assignees = new Map(entries.map((entry) => [entry.conversationId, entry.assigneeId]));
    const places = [...assignees.keys()].map((id) => ({ id }));
    const found = await readConversations(organizationId, places);
    const isLeft = ({ id, unansweredReason, mailedTo = [], assigneeId }: Conversation) =>
      unansweredReason !== undefined &&
      !mailedTo.includes(userId) &&
      assigneeId === assignees.get(id);
    listed.push(...found.filter(isLeft));
    read += entries.length;
  }

  return { listed, more: left.length - read };
}

/** If a message was edited or withdrawn since, the mail is sent without message texts. */
function planDigest(
  organizationId: string,
  { listed, ...others }: Picked & { readonly to: string; readonly timezone: string },
): Promise<Write> {
  const mailWith = (textOf: typeof lastTextOf) =>
    unansweredMail({
      ...others,
      conversations: listed.map((conversation) => ({
        id: conversation.id,
        customerName: conversation.customer.name || conversation.customer.id,
        platformName: platformNames[conversation.platform],
        waitingSince: conversation.unansweredSince ?? new Date(conversation.rank).toISOString(),
        lastText: textOf(conversation),
      })),
    });
  const instead = mailWith(() => undefined);

  return planMail(organizationKeys.organization(organizationId), {
    ...mailWith(lastTextOf),
    quote: { sources: listed.map(quotedSource), instead },
  });
}

/**
 * The recipients of mails about the conversation are known, unless its assignee has changed since.
 */
async function endDue(entry: Entry): Promise<void> {
  const { pk, sk, dueAt, assigneeId } = entry;
  if (dueAt !== undefined) {
    const when = allOf(equals('dueAt', dueAt), unchanged('assigneeId', assigneeId));
    await writeIfMet(change({ pk, sk }, { set: notDue, when }));
  }
}
