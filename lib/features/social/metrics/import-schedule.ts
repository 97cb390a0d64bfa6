import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { create, type Write } from '#lib/platform/db/write.ts';

export type ImportSchedule = { readonly organizationId: string; readonly accountId: string };

/** Schedules the daily import of an account's posts. It is due immediately. */
export function planImports({ organizationId, id }: SocialAccount): readonly Write[] {
  const schedule: ImportSchedule = { organizationId, accountId: id };

  return [
    create(socialKeys.importSchedule(organizationId, id), {
      ...schedule,
      ...dueIn('POSTS_IMPORT', timestamp()),
    }),
  ];
}
