import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { type Answer, type Call, gatewayEvent, isRaw, send } from '#tests/support/api.ts';

const oneYearSeconds = 365 * 24 * 3600;

/** What no answer may ever hold, neither in its body nor in its headers. */
const secrets = [
  /\$2[abxy]\$\d\d\$/,
  /"(passwordHash|tokenHash|writeId|pk|sk|duePk|dueAt|expiresAtSeconds|payload)":/,
  /\bv1\.[^."]+\.[A-Za-z0-9_-]{38,}/,
  /\bsk_(test|live)_/,
  /\b(ORG|USER|EMAIL|IDEMPOTENCY|RATE|USER_TOKEN|INVITATION_TOKEN)#/,
  /\bat \S+ \(?(file:|node:|\/)\S+:\d+:\d+/,
];

/** The headers that every answer carries, whatever it says. */
export function expectCommonHeaders(contract: Contract, { status, headers }: Answer): void {
  const raw = isRaw(contract, status, headers);
  const hstsSeconds = /^max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1];
  expect(Number(hstsSeconds)).toBeGreaterThanOrEqual(oneYearSeconds);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toMatch(/frame-ancestors/);
  expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(headers['cache-control']).toMatch(raw ? /./ : /^no-store$/);
  expect(headers['content-type']).toMatch(raw ? /./ : /^application\/json; charset=utf-8$/);
  expect(headers['content-type']).toMatch(/^image\/|; charset=utf-8$/);
}

/** Nothing of what the service keeps for itself gets out. */
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
 * Calls an endpoint, and checks what holds of every answer: it is no failure of the service, it has
 * the form that the contract says, the headers that all answers have, and nothing in it that is
 * nobody's business.
 */
export function probe(contract: Contract, options: Call = {}): Promise<Answer> {
  return probeWith(contract, gatewayEvent(contract, options));
}

/** As `probe`, with an event that was changed by hand. */
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

/** An answer without what is another for each request. */
export function bytesOf({ status, body, headers, cookies }: Answer): string {
  const { 'x-request-id': _, ...same } = headers;

  return JSON.stringify({ status, body, headers: same, cookies });
}
