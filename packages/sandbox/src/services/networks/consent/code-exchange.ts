import { createHash } from 'node:crypto';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkWorld } from '../network-world.ts';
import type { Grant, GrantRequest } from '../token-store.ts';
import { findCode, type IssuedCode } from './consent-state.ts';

/** Codes expire after ten minutes. */
const codeLifetimeMs = 600_000;

export type CodeProblem = 'unknown' | 'used' | 'expired' | 'redirectUri' | 'verifier';

export type RedeemedCode =
  | { readonly problem: CodeProblem; readonly issued?: never }
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

/** Why a token endpoint rejects a grant. */
export type GrantProblem = CodeProblem | 'refreshToken' | 'grantType';

/**
 * Exchanges a code or a refresh token from a form. The caller has checked the app's credentials.
 * `issued` is absent after a refresh.
 */
export function exchangeGrant(
  world: NetworkWorld,
  form: URLSearchParams,
  network: {
    readonly grantOf: (issued: IssuedCode) => GrantRequest;
    readonly answer: (grant: Grant, issued?: IssuedCode) => SandboxAnswer;
    readonly reject: (problem: GrantProblem) => SandboxAnswer;
  },
): SandboxAnswer {
  if (form.get('grant_type') === 'authorization_code') {
    const { problem, issued } = redeemCode(world, {
      clientId: world.app.clientId,
      code: form.get('code'),
      redirectUri: form.get('redirect_uri'),
      codeVerifier: form.get('code_verifier'),
    });

    return issued
      ? network.answer(world.tokens.issue(network.grantOf(issued)), issued)
      : network.reject(problem);
  }
  if (form.get('grant_type') !== 'refresh_token') {
    return network.reject('grantType');
  }
  const grant = world.tokens.refresh(form.get('refresh_token') ?? '');

  return grant ? network.answer(grant) : network.reject('refreshToken');
}
