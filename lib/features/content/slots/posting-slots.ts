import { timezoneOf } from '#lib/features/organizations/organizations.ts';
import { socialAccountNotFound } from '#lib/features/social/accounts/accounts.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { put, write } from '#lib/platform/db/write.ts';
import type { updatePostingSlots } from '#schemas/content-slots.ts';
import type { BodyOf } from '#schemas/contract.ts';

type NewSlots = BodyOf<typeof updatePostingSlots>;

export type PostingSlot = {
  /** 1 is Monday. */
  readonly weekday: number;
  /** HH:MM in the time zone of the slots. */
  readonly time: string;
  /** Null applies to every account. */
  readonly socialAccountId: string | null;
};

export type PostingSlots = {
  readonly timezone: string;
  readonly slots: readonly PostingSlot[];
};

type ListedSlots = PostingSlots & { readonly total: number };

type StoredSlots = {
  /** Absent means the organization's time zone. */
  readonly timezone?: string;
  readonly slots: readonly PostingSlot[];
};

/** Returns all slots, including those of disconnected accounts. */
export async function readSlots(organizationId: string): Promise<PostingSlots> {
  const [stored, ofOrganization] = await Promise.all([
    get<StoredSlots>(contentKeys.postingSlots(organizationId)),
    timezoneOf(organizationId),
  ]);

  return { timezone: stored?.timezone ?? ofOrganization, slots: stored?.slots ?? [] };
}

/** Returns the slots of connected accounts, and those for every account. */
export async function listSlots(organizationId: string): Promise<ListedSlots> {
  const { timezone, slots } = await readSlots(organizationId);
  const connected = await connectedAccounts(organizationId, slots);

  return { timezone, ...counted(slots.filter((slot) => isFor(connected, slot))) };
}

/** Replaces all slots. Scheduled posts keep their times. @throws 404 for an unknown account */
export async function replaceSlots(
  organizationId: string,
  { timezone, slots }: NewSlots,
): Promise<ListedSlots> {
  const [connected, ofOrganization] = await Promise.all([
    connectedAccounts(organizationId, slots),
    timezoneOf(organizationId),
  ]);
  if (!slots.every((slot) => isFor(connected, slot))) {
    throw socialAccountNotFound();
  }
  const stored: StoredSlots = { slots, ...(timezone ? { timezone } : {}) };
  await write(put(contentKeys.postingSlots(organizationId), stored));

  return { timezone: timezone ?? ofOrganization, ...counted(slots) };
}

function counted(slots: readonly PostingSlot[]) {
  return { slots, total: slots.length };
}

function isFor(connected: ReadonlySet<string>, { socialAccountId }: PostingSlot): boolean {
  return socialAccountId === null || connected.has(socialAccountId);
}

async function connectedAccounts(
  organizationId: string,
  slots: readonly PostingSlot[],
): Promise<ReadonlySet<string>> {
  const named = [...new Set(slots.flatMap(({ socialAccountId }) => socialAccountId ?? []))];
  const found = await getMany<{ readonly id: string }>(
    named.map((id) => socialKeys.socialAccount(organizationId, id)),
  );

  return new Set(found.flatMap((account) => account?.id ?? []));
}
