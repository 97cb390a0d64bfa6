import { createHash } from 'node:crypto';
import type { NetworkWorld } from '../network-world.ts';
import { findCode, type IssuedCode } from './consent-state.ts';

/** Codes expire after ten minutes. */
const codeLifetimeMs = 600_000;

export type CodeProblem = 'unknown' | 'used' | 'expired' | 'redirectUri' | 'verifier';

export type RedeemedCode =
  | { readonly problem: CodeProblem }
  | { readonly problem?: never; readonly issued: IssuedCode };

/**
 * Redeems a code once. The caller has checked the app's credentials. A rejected attempt does not
 * use up the code.
 */
export function redeemCode(
  world: NetworkWorld,
  attempt: {
    readonly clientId: string;
    readonly code: string | null | undefined;
    readonly redirectUri: string | null | undefined;
    readonly codeVerifier?: string | null | undefined;
  },
): RedeemedCode {
  const found = findCode(world, attempt.code ?? '');
  if (found === undefined || found.issued.clientId !== attempt.clientId) {
    return { problem: 'unknown' };
  }
  const { issued, use } = found;
  const { codeChallenge } = issued;
  if (issued.isUsed) {
    return { problem: 'used' };
  }
  if (world.clock().getTime() - issued.at.getTime() > codeLifetimeMs) {
    return { problem: 'expired' };
  }
  if (attempt.redirectUri !== issued.redirectUri) {
    return { problem: 'redirectUri' };
  }
  if (codeChallenge !== undefined && challengeOf(attempt.codeVerifier ?? '') !== codeChallenge) {
    return { problem: 'verifier' };
  }
  use();

  return { issued };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
