import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Platform } from '#schemas/platforms.ts';
import { answerNetworkChallenge } from '#schemas/social-webhooks.ts';
import { call } from '#tests/support/api.ts';

type Query = Readonly<Record<string, string>>;

const hub = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' };

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
