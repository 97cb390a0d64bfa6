import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { query } from '#lib/platform/db/read.ts';
import { discard, put, type Write } from '#lib/platform/db/write.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { SocialAccount } from './accounts.ts';

type Granted = Pick<
  SocialAccount,
  'organizationId' | 'id' | 'platform' | 'platformUserId' | 'grantedById'
>;

type GrantedAccount = { readonly platformUserId: string };

/** Moves an account from one person's list of accounts to another person's. */
export function planGrant(
  before: Granted | undefined,
  after: Granted | undefined,
): readonly Write[] {
  const [was, is] = [keyOf(before), keyOf(after)];

  return [
    ...(was && was.pk !== is?.pk ? [discard(was)] : []),
    ...(is && after
      ? [put(is, { platformUserId: after.platformUserId } satisfies GrantedAccount)]
      : []),
  ];
}

function keyOf(account: Granted | undefined): Key | undefined {
  const { organizationId, id, platform, grantedById } = account ?? {};

  return organizationId && id && platform && grantedById
    ? socialKeys.grantedAccount(platform, grantedById, organizationId, id)
    : undefined;
}

/** Returns the ids of the accounts whose tokens the person granted at the network. */
export async function listGrantedAccounts(
  platform: Platform,
  personId: string,
): Promise<readonly string[]> {
  const accounts = await query<GrantedAccount>(socialRanges.grantedAccounts(platform, personId));

  return accounts.map(({ platformUserId }) => platformUserId);
}
