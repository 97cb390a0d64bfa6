import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect } from 'vitest';
import { version } from '#lib/platform/version.ts';
import type { Contract } from '#schemas/contract.ts';
import { type Answer, type CallInput, gatewayEvent, isRaw, send } from '#tests/support/api.ts';

const oneYearSeconds = 365 * 24 * 3600;

/** Patterns that no response may contain in its body or headers. */
const secrets = [
  /\$2[abxy]\$\d\d\$/,
  /"(passwordHash|tokenHash|writeId|pk|sk|duePk|dueAt|expiresAtSeconds|payload)":/,
  /\bv1\.[^."]+\.[A-Za-z0-9_-]{38,}/,
  /\bsk_(test|live)_/,
  /\b(ORG|USER|EMAIL|IDEMPOTENCY|RATE|USER_TOKEN|INVITATION_TOKEN)#/,
  /\bat \S+ \(?(file:|node:|\/)\S+:\d+:\d+/,
];

/** Expects the headers that every response has. */
export function expectCommonHeaders(contract: Contract, { status, headers }: Answer): void {
  const raw = isRaw(contract, status, headers);
  const hstsSeconds = /^max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1];
  expect(Number(hstsSeconds)).toBeGreaterThanOrEqual(oneYearSeconds);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toMatch(/frame-ancestors/);
  expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(headers['x-api-version']).toBe(version);
  expect(headers['cache-control']).toMatch(raw ? /./ : /^no-store$/);
  expect(headers['content-type']).toMatch(raw ? /./ : /^application\/json; charset=utf-8$/);
  expect(headers['content-type']).toMatch(/^image\/|; charset=utf-8$/);
}

/** Expects that the response contains no internal data. */
export function expectNoSecrets(contract: Contract, answer: Answer): void {
  const text = JSON.stringify({
    ...answer,
    body: isRaw(contract, answer.status, answer.headers) ? '' : answer.body,
  });
  for (const secret of secrets) {
    expect(text).not.toMatch(secret);
  }
}

/**
 * Calls an endpoint and checks what applies to every response: no server error, the contract's
 * format, the common headers, and no internal data.
 */
export function probe(contract: Contract, options: CallInput = {}): Promise<Answer> {
  return probeWith(contract, gatewayEvent(contract, options));
}

/** Like `probe`, with a modified event. */
export async function probeWith(
  contract: Contract,
  event: APIGatewayProxyEventV2,
): Promise<Answer> {
  const answer = await send(contract, event);
  expect(answer.status, `${contract.operationId}: ${JSON.stringify(answer.body)}`).toBeLessThan(
    500,
  );
  expectCommonHeaders(contract, answer);
  expectNoSecrets(contract, answer);

  return answer;
}

/** Returns the response as text, without values that differ per request. */
export function bytesOf({ status, body, headers, cookies }: Answer): string {
  const { 'x-request-id': _, ...same } = headers;

  return JSON.stringify({ status, body, headers: same, cookies });
}
