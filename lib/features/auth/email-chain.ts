import type { EmailChain, User } from '#lib/features/users/users.ts';
import { epochSeconds } from '#lib/platform/clock.ts';
import { tokenLifetimesSeconds } from './user-tokens.ts';

/** Returns a user's chain, unless it has ended. */
export function liveChainOf({ emailChain }: User): EmailChain | undefined {
  return emailChain && emailChain.endsAtSeconds > epochSeconds() ? emailChain : undefined;
}

/**
 * Returns the chain after a change to another address. The former address gets a link if it is the
 * one that can revert the chain.
 *
 * Restoring the first address ends the rights of the addresses in between. A change that the
 * password confirms does the same.
 */
export function nextChain(user: User, to: string, isConfirmed: boolean): EmailChain {
  const { email, emailVerified, emailChain } = user;
  // A restored address counts as verified, although its user has to verify it again.
  const isProven = emailVerified || email === emailChain?.revertible;
  const endsAtSeconds = epochSeconds(tokenLifetimesSeconds.emailRevert);
  const live = liveChainOf(user);
  if (!live || email === live.start) {
    return { start: email, revertible: isProven ? email : undefined, endsAtSeconds };
  }
  const { start, revertible } = live;
  if (to === start || (isConfirmed && to !== revertible)) {
    return { ...live, revertible: revertible === start ? start : undefined };
  }
  const isFirstProven = isProven && (!revertible || revertible === email);

  return isFirstProven ? { start, revertible: email, endsAtSeconds } : live;
}
