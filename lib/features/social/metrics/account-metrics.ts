import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';

export type TopPost = { readonly id: string; readonly engagement: number; readonly reach: number };

/** One day of an account's metrics. Metrics that the network does not provide are absent. */
export type DailyAccountMetrics = {
  readonly accountId: string;
  readonly date: string;
  readonly followers?: number;
  readonly posts?: number;
  readonly engagement?: number;
  readonly reach?: number;
  readonly clicks?: number;
  readonly lastPostAt?: string;
  /** The recent post with the most engagement. */
  readonly topPost?: TopPost;
  readonly takenAt: string;
};

type Metrics = Omit<DailyAccountMetrics, 'accountId' | 'date' | 'takenAt'>;

export type NewAccountMetrics = { readonly [Name in keyof Metrics]?: Metrics[Name] | undefined };

/** Daily metrics expire after two years. */
const retentionDays = 731;

/** Returns the UTC day of a timestamp. */
export function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

/**
 * Returns writes that store today's metrics and the account's latest metrics in one transaction.
 * Omitted metrics keep their value from earlier today.
 *
 * @throws ConditionNotMetError if the account is no longer connected.
 */
export function planAccountMetrics(
  { organizationId, id }: Pick<SocialAccount, 'organizationId' | 'id'>,
  latest: SocialAccount['figures'],
  metrics: NewAccountMetrics,
  alsoSet: Readonly<Record<string, unknown>> = {},
): readonly Write[] {
  const takenAt = timestamp();
  const date = dayOf(takenAt);
  const { posts, followers, engagement, lastPostAt } = metrics;
  const known = Object.entries({ posts, followers, engagement, lastPostAt }).filter(
    ([, value]) => value !== undefined,
  );

  return [
    change(socialKeys.socialAccount(organizationId, id), {
      set: { figures: { ...latest, ...Object.fromEntries(known) }, ...alsoSet },
    }),
    change(socialKeys.accountStats(organizationId, id, date), {
      set: {
        ...metrics,
        accountId: id,
        date,
        takenAt,
        expiresAtSeconds: epochSeconds((retentionDays * dayMs) / 1000),
      },
      orCreate: true,
    }),
  ];
}

/** Returns the daily metrics between two dates (inclusive), oldest first. */
export function listAccountMetrics(
  organizationId: string,
  accountId: string,
  from: string,
  to: string,
): Promise<readonly DailyAccountMetrics[]> {
  return query<DailyAccountMetrics>(socialRanges.accountStats(organizationId, accountId, from, to));
}
