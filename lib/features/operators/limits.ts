import { campaignCounter } from '#lib/features/campaigns/campaign.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import { compact } from '#lib/platform/compact.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { ownLimit, quotaLimit } from '#lib/platform/quotas/quotas.ts';
import { type LimitName, limitNames } from '#schemas/quotas.ts';

type Limits = NonNullable<Organization['limits']>;
type LimitsPatch = { readonly [Name in LimitName]?: number | null | undefined };

/**
 * The counters of an organization, and the attribute with the number. The organization's record
 * counts members.
 */
const counters = {
  apiKeys: ['API_KEYS', 'value'],
  agents: ['AGENTS', 'value'],
  campaigns: [campaignCounter, 'value'],
  pipelines: ['PIPELINES', 'value'],
  bioLinks: ['BIO_LINKS', 'total'],
} as const satisfies Record<Exclude<LimitName, 'members'>, readonly [string, string]>;

/** Returns the limits that apply: the organization's own if lower, otherwise the service's. */
export function limitsOf({ limits = {} }: Pick<Organization, 'limits'>) {
  const applied = limitNames.map((name) => {
    const most = quotaLimit(name);

    return [name, Math.min(limits[name] ?? most, most)] as const;
  });

  return Object.fromEntries(applied) as Record<LimitName, number>;
}

/** Returns a problem for each limit above the service's limit. */
export function limitProblems(patch: LimitsPatch | undefined): readonly string[] {
  return limitNames.flatMap((name) => {
    const most = quotaLimit(name);

    return (patch?.[name] ?? 0) > most ? [`limits.${name} must not be greater than ${most}`] : [];
  });
}

/** Returns the limits after a change. Null removes a limit. */
export function changedLimits(limits: Limits = {}, patch: LimitsPatch): Limits {
  return compact({ ...limits, ...patch }) as Limits;
}

/**
 * Plans to copy the limits to the counters, where each new record compares them without another
 * read. Existing records are kept.
 */
export function planLimits(organizationId: string, limits: Limits): readonly Write[] {
  return Object.entries(counters).map(([name, [counter, attribute]]) =>
    change(organizationKeys.counter(organizationId, counter), {
      set: { [ownLimit(name as LimitName)]: limits[name as LimitName] ?? null },
      add: { [attribute]: 0 },
      orCreate: true,
    }),
  );
}

/** The same for members, which the organization's record counts. */
export function memberLimit({ members }: Limits) {
  return { [ownLimit('members')]: members ?? null };
}
