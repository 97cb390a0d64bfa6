import { dayMs, hourMs, minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { hmacOf } from '#lib/vendors/networks/signature.ts';
import type { Contract } from '#schemas/contract.ts';
import type { MetaPlatform } from '#schemas/platforms.ts';
import { signedRequest } from '#scripts/fixtures/network-events.ts';
import { type Answer, call } from './api.ts';

/** Returns a form with the given text, signed like Meta. */
export async function signedForm(platform: MetaPlatform, payload: unknown): Promise<string> {
  const { clientSecret } = await networkApp(platform);
  const encoded = Buffer.from(
    typeof payload === 'string' ? payload : JSON.stringify(payload),
  ).toString('base64url');
  const signature = hmacOf(clientSecret, encoded).toString('base64url');

  return `signed_request=${signature}.${encoded}`;
}

/** Signed texts that are rejected, as functions of the person. */
export const invalidSignedTexts: ReadonlyArray<readonly [string, (personId: string) => unknown]> = [
  ['another algorithm', (id) => ({ ...payloadFor(id), algorithm: 'HMAC-SHA1' })],
  ['no issued_at', (id) => ({ ...payloadFor(id), issued_at: undefined })],
  ['an issued_at that is no number', (id) => ({ ...payloadFor(id), issued_at: 'now' })],
  ['an issued_at beyond all times', (id) => ({ ...payloadFor(id), issued_at: 1e300 })],
  ['an issued_at over an hour ago', (id) => payloadFor(id, -hourMs - minuteMs)],
  ['an issued_at in a day', (id) => payloadFor(id, dayMs)],
  ['an object as the user_id', (id) => ({ ...payloadFor(id), user_id: { id } })],
  ['a list as the user_id', (id) => ({ ...payloadFor(id), user_id: [id] })],
  ['true as the user_id', (id) => ({ ...payloadFor(id), user_id: true })],
  ['null as the user_id', (id) => ({ ...payloadFor(id), user_id: null })],
  ['a fraction as the user_id', (id) => ({ ...payloadFor(id), user_id: 1.5 })],
  ['no user_id', (id) => ({ ...payloadFor(id), user_id: undefined })],
  ['no JSON', (id) => id],
];

/** The payload that Meta signs about a person. */
export function payloadFor(personId: string | number, offsetMs = 0) {
  return {
    algorithm: 'HMAC-SHA256',
    expires: 0,
    issued_at: Math.floor((now() + offsetMs) / secondMs),
    user_id: personId,
  };
}

/** Delivers a form, by default one that Meta signs for the person. */
export async function deliverSigned(
  contract: Contract,
  platform: MetaPlatform,
  personId: string,
  change: (body: string) => string = (body) => body,
): Promise<Answer> {
  const { headers, body } = await signedRequest(platform, personId);
  const params = { platform: platform.toLowerCase() };

  return call(contract, { params, headers, body: change(body) });
}
