import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import * as social from '#schemas/social.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';

export const connectSocialAccount = (token: string, body: object) =>
  call(social.connectSocialAccount, { token, body });

export const disconnectSocialAccount = (token: string, id: string) =>
  call(social.disconnectSocialAccount, { token, params: { account_id: id } });

export async function isSubscribed(userId: string): Promise<boolean> {
  return (await sandbox.network('FACEBOOK').subscriptions(userId)).length > 0;
}

export function stored({ organizationId, id }: { organizationId: string; id: string }) {
  return get<SocialAccount>(keys.socialAccount(organizationId, id));
}
