import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';

export type TopPost = { readonly id: string; readonly engagement: number; readonly reach: number };

/** An account's figures of one day. What the network does not tell is absent. */
export type AccountFiguresOfDay = {
  readonly accountId: string;
  readonly date: string;
  readonly followers?: number;
  readonly posts?: number;
  readonly engagement?: number;
  readonly reach?: number;
  readonly clicks?: number;
  readonly lastPostAt?: string;
  /** The one of the recent posts that most people reacted to. */
  readonly topPost?: TopPost;
  readonly takenAt: string;
};

type Figures = Omit<AccountFiguresOfDay, 'accountId' | 'date' | 'takenAt'>;

export type NewFigures = { readonly [Name in keyof Figures]?: Figures[Name] | undefined };

/** Ranges begin at most so long ago as anybody keeps asking for. */
const keptDays = 731;

/** The day of a moment, in UTC. */
export function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

/**
 * Today's figures, and the account's latest ones, to be written in one transaction. What is not
 * given stays as it was taken earlier in the day.
 *
 * @throws ConditionNotMet where the account is not connected any more.
 */
export function figureWrites(
  { organizationId, id }: Pick<SocialAccount, 'organizationId' | 'id'>,
  latest: SocialAccount['figures'],
  figures: NewFigures,
  alsoSet: Readonly<Record<string, unknown>> = {},
): readonly Write[] {
  const takenAt = timestamp();
  const date = dayOf(takenAt);
  const { posts, followers, engagement, lastPostAt } = figures;
  const known = Object.entries({ posts, followers, engagement, lastPostAt }).filter(
    ([, value]) => value !== undefined,
  );

  return [
    change(keys.socialAccount(organizationId, id), {
      set: { figures: { ...latest, ...Object.fromEntries(known) }, ...alsoSet },
    }),
    change(keys.accountStats(organizationId, id, date), {
      set: {
        ...figures,
        accountId: id,
        date,
        takenAt,
        expiresAtSeconds: epochSeconds((keptDays * dayMs) / 1000),
      },
      orCreate: true,
    }),
  ];
}

/** The figures of the days from one to another, oldest first. */
export function listFigures(
  organizationId: string,
  accountId: string,
  from: string,
  to: string,
): Promise<readonly AccountFiguresOfDay[]> {
  return query<AccountFiguresOfDay>(ranges.accountStats(organizationId, accountId, from, to));
}
