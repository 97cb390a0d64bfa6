import { type BioDestination, destinationOf } from '#lib/features/short-links/destination.ts';
import { newShortCode, shortUrlOf } from '#lib/features/short-links/short-codes.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { bioKeys, bioRanges } from '#lib/platform/db/keys/bio.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  change,
  count,
  create,
  discard,
  type ExtraWrites,
  put,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import type * as contracts from '#schemas/bio.ts';
import type { BodyOf, QueryOf } from '#schemas/contract.ts';
import { readClickCounts } from './click-counters.ts';

export type BioLink = NewBioLink & {
  readonly isActive: boolean;
  readonly id: string;
  readonly organizationId: string;
  readonly shortCode: string;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type NewBioLink = BodyOf<typeof contracts.createBioLink>;

export type BioLinkPatch = BodyOf<typeof contracts.updateBioLink>;

const counter = 'BIO_LINKS';

/** Returns a problem for a short link, because it could redirect to itself. */
export function bioLinkProblems({ url }: { readonly url?: string | undefined }): readonly string[] {
  if (url === undefined) {
    return [];
  }
  const [own, { hostname, port, pathname }] = [
    new URL(shortUrlOf({ shortCode: '' })),
    new URL(url),
  ];
  const isHere = hostname.replace(/\.$/, '') === own.hostname && port === own.port;

  return isHere && decoded(pathname).startsWith(own.pathname)
    ? ['url must not be a short link of this service']
    : [];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the data with which one read can redirect a short link, without reading the link itself.
 */
function claimOf(link: BioLink): BioDestination {
  const { organizationId, id, isActive } = link;

  return { organizationId, linkId: id, isActive, url: destinationOf(link) };
}

/** Updates the copies of active links that the public page shows. */
function planPageEntry(link: BioLink): Write {
  const key = bioKeys.activeBioLink(link.organizationId, link.id);

  return link.isActive ? put(key, link) : discard(key);
}

/**
 * Retries with a new code in the rare case that the code is already taken.
 *
 * @throws 400 if the URL is itself a short link.
 */
export async function createBioLink(
  organizationId: string,
  details: NewBioLink,
  extraWrites: ExtraWrites<BioLink>,
): Promise<BioLink> {
  return retryWhenOvertaken('bio link', async () => {
    const now = timestamp();
    const link: BioLink = {
      ...details,
      isActive: details.isActive ?? true,
      id: newId(),
      organizationId,
      shortCode: newShortCode(),
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    await write(
      ...(await extraWrites(link)),
      create(bioKeys.shortCode(link.shortCode), claimOf(link)),
      create(bioKeys.bioLink(organizationId, link.id), link),
      ...(link.isActive ? [planPageEntry(link)] : []),
      planQuotaUse(organizationKeys.counter(organizationId, counter), 'bioLinks', {
        attribute: 'total',
        add: { active: link.isActive ? 1 : 0 },
      }),
    );

    return link;
  });
}

/** @throws 404 */
export async function requireBioLink(organizationId: string, linkId: string): Promise<BioLink> {
  return requireFound(await get<BioLink>(bioKeys.bioLink(organizationId, linkId)), 'Bio link');
}

export type CountedBioLink = BioLink & { readonly clickCount: number };

export function presentBioLink(link: CountedBioLink) {
  return { ...link, shortUrl: shortUrlOf(link) };
}

async function withClicks(
  organizationId: string,
  links: readonly BioLink[],
): Promise<readonly CountedBioLink[]> {
  const counts = await readClickCounts(
    organizationId,
    links.map(({ id }) => id),
  );

  return links.map((link) => ({ ...link, clickCount: counts.get(link.id) ?? 0 }));
}

/** Returns a page of links, newest first, optionally filtered by `isActive`. */
export async function listBioLinks(
  organizationId: string,
  { isActive, ...request }: QueryOf<typeof contracts.listBioLinks>,
): Promise<Page<CountedBioLink>> {
  const page = await listPage<BioLink>(
    bioRanges.bioLinks(organizationId),
    request,
    () => countLinks(organizationId, isActive),
    isActive === undefined ? undefined : equals('isActive', isActive),
  );

  return { ...page, items: await withClicks(organizationId, page.items) };
}

async function countLinks(organizationId: string, isActive: boolean | undefined): Promise<number> {
  const counted = await get<{ total: number; active: number }>(
    organizationKeys.counter(organizationId, counter),
  );
  const { total = 0, active = 0 } = counted ?? {};
  if (isActive === undefined) {
    return total;
  }

  return isActive ? active : total - active;
}

/** Returns the newest active links. The cost does not depend on inactive ones. */
export function listActiveBioLinks(
  organizationId: string,
  limit: number,
): Promise<readonly BioLink[]> {
  return query<BioLink>(bioRanges.activeBioLinks(organizationId), { newestFirst: true, limit });
}

/** @throws 404, 400 like `createBioLink`, and 409 if concurrent changes persist after retries. */
export async function updateBioLink(
  organizationId: string,
  linkId: string,
  patch: BioLinkPatch,
): Promise<CountedBioLink> {
  const isEmpty = Object.values(patch).every((value) => value === undefined);
  const [link, counts] = await Promise.all([
    isEmpty
      ? requireBioLink(organizationId, linkId)
      : retryWhenOvertaken('bio link', () => applyPatch(organizationId, linkId, patch)),
    readClickCounts(organizationId, [linkId]),
  ]);

  return { ...link, clickCount: counts.get(linkId) ?? 0 };
}

async function applyPatch(
  organizationId: string,
  linkId: string,
  patch: BioLinkPatch,
): Promise<BioLink> {
  const before = await requireBioLink(organizationId, linkId);
  const given = definedFields(patch);
  if (!changesSomething(before, given)) {
    return before;
  }
  const set = { ...given, version: before.version + 1, updatedAt: timestamp() };
  const after = { ...before, ...set } as BioLink;
  const moved = Number(after.isActive) - Number(before.isActive);
  await write(
    change(bioKeys.bioLink(organizationId, linkId), {
      set,
      when: equals('version', before.version),
    }),
    put(bioKeys.shortCode(after.shortCode), claimOf(after)),
    planPageEntry(after),
    ...(moved === 0
      ? []
      : [count(organizationKeys.counter(organizationId, counter), { active: moved })]),
  );

  return after;
}

/** @throws 404, and 409 if concurrent changes persist after retries. */
export async function deleteBioLink(organizationId: string, linkId: string): Promise<void> {
  const removed = retryWhenOvertaken('bio link', async () => {
    const link = await requireBioLink(organizationId, linkId);
    await write(
      remove(bioKeys.bioLink(organizationId, linkId), { when: equals('version', link.version) }),
      discard(bioKeys.shortCode(link.shortCode)),
      discard(bioKeys.activeBioLink(organizationId, linkId)),
      planQuotaRelease(organizationKeys.counter(organizationId, counter), {
        attribute: 'total',
        add: { active: link.isActive ? -1 : 0 },
      }),
    );
  });
  const [clicks] = await Promise.all([
    query(bioRanges.bioClicks(organizationId, linkId, linkId)),
    removed,
  ]);
  // The clicks are no longer visible. If this crashes or a click comes late, the organization's
  // deletion removes the rest.
  await removeMany(clicks);
}
