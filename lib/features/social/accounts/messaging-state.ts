import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { MessagingState } from '#schemas/platforms.ts';
import type { SocialAccount } from './accounts.ts';

type Account = Pick<SocialAccount, 'platform' | 'isActive'> & {
  readonly messaging?: SocialAccount['messaging'] | undefined;
};

/**
 * Returns the state of the token for the account's messages, comments and events. This is the
 * account's own token, unless the network needs a second one.
 */
export function interactionState({
  platform,
  isActive,
  messaging,
}: Account): Exclude<MessagingState, 'NOT_SUPPORTED'> {
  if (capabilities[platform].needsBusinessToken) {
    return messaging ?? 'MISSING';
  }

  return isActive ? 'CONNECTED' : 'EXPIRED';
}

/** Adds whether the account can receive and send messages. */
export function presentAccount<A extends Account>(account: A) {
  const isSupported = capabilities[account.platform].supports.directMessage;

  const messaging: MessagingState = isSupported ? interactionState(account) : 'NOT_SUPPORTED';

  return { ...account, messaging };
}
