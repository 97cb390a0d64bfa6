import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Platform } from '#schemas/platforms.ts';
import {
  answerNetworkChallenge,
  receiveAccountEvents,
  verifyAccountWebhook,
} from '#schemas/social-webhooks.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { connectedAccount, conversationsOf, signedEvent } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';

type Query = Readonly<Record<string, string>>;

const hub = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' };

let ada: Account;
let page: SocialAccount;

beforeAll(async () => {
  ada = await newAccount();
  page = await connectedAccount(ada.organizationId);
  const subscription = { verifyToken: 'open sesame' };
  await subscribeToAccount(ada.organizationId, ada.userId, page.id, subscription, nothingElse);
});

function handshake(platform: Platform, query: Query) {
  return call(answerNetworkChallenge, { params: { platform: platform.toLowerCase() }, query });
}

function signature(platform: Platform, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', `sandbox-${platform.toLowerCase()}-secret`)
    .update(text)
    .digest(encoding);
}

describe("a network's handshake on the shared URL", () => {
  test.each(['FACEBOOK', 'INSTAGRAM'] as const)('of %s returns the challenge', async (platform) => {
    const token = `sandbox-${platform.toLowerCase()}-verify`;
    const right = await handshake(platform, { ...hub, 'hub.verify_token': token });
    const wrong = await handshake(platform, { ...hub, 'hub.verify_token': 'x' });

    expect([right.status, right.body]).toEqual([200, '1158201444']);
    expect(right.headers['content-type']).toMatch(/^text\/plain/);
    expect(wrong.status).toBe(403);
  });

  test('of X returns the signed token', async () => {
    const { body } = await handshake('TWITTER', { crc_token: 'abc' });

    expect(JSON.parse(body)).toEqual({
      response_token: `sha256=${signature('TWITTER', 'abc', 'base64')}`,
    });
  });

  test('of LinkedIn returns the signed code', async () => {
    const challengeCode = randomUUID();
    const { body } = await handshake('LINKEDIN', { challengeCode, applicationId: '1' });

    expect(JSON.parse(body)).toEqual({
      challengeCode,
      challengeResponse: signature('LINKEDIN', challengeCode, 'hex'),
    });
  });

  test('returns 400 for an invalid handshake and for an unknown network', async () => {
    expect((await handshake('TIKTOK', hub)).status).toBe(400);
    const params = { platform: 'myspace' };
    const unknown = await call(answerNetworkChallenge, { params, query: hub });
    expect([unknown.status, unknown.body.message[0]]).toEqual([
      400,
      expect.stringMatching(/^platform must be one of the following values: facebook, /),
    ]);
  });
});

describe("an account's handshake", () => {
  const verify = (query: Query, accountId = page.id) =>
    call(verifyAccountWebhook, { params: { account_id: accountId }, query });
  const right = { ...hub, 'hub.verify_token': 'open sesame' };

  test('echoes the challenge for the right token', async () => {
    const { status, body, headers } = await verify(right);

    expect([status, body]).toEqual([200, '1158201444']);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test.each([
    ['a different token', { 'hub.verify_token': 'open barley' }],
    // As the gateway passes a repeated parameter.
    ['a list of tokens', { 'hub.verify_token': 'open sesame,open barley' }],
    ['a repeated token', { 'hub.verify_token': 'open sesame,open sesame' }],
    ['a different mode', { 'hub.mode': 'unsubscribe' }],
  ])('returns 403 for %s', async (_what, wrong) => {
    expect((await verify({ ...right, ...wrong })).status).toBe(403);
  });

  test.each(Object.keys(right))('returns 400 without %s', async (name) => {
    const { [name]: _, ...rest }: Record<string, string> = right;
    const { status, body } = await verify(rest);

    expect([status, body.message]).toEqual([400, [`${name} is required`]]);
  });

  test('returns 404 without a subscription', async () => {
    const { id } = await connectedAccount(ada.organizationId);

    expect((await verify(right, id)).status).toBe(404);
    expect((await verify(right, newId())).status).toBe(404);
  });
});

describe("a delivery to an account's own URL", () => {
  test('is processed like one to the shared URL', async () => {
    const { headers, body } = await signedEvent(page);
    const deliver = (change: object) =>
      call(receiveAccountEvents, { params: { account_id: page.id }, headers, body, ...change });

    expect((await deliver({ body: `${body} ` })).status).toBe(401);
    expect((await deliver({ params: { account_id: newId() } })).status).toBe(404);
    expect((await deliver({})).body).toEqual({ success: true, received: 1 });

    await drainWork('inbound-events');
    expect(await conversationsOf(ada, page)).toHaveLength(1);
  });
});
