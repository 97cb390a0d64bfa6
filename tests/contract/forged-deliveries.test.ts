import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Contract } from '#schemas/contract.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import {
  answerNetworkChallenge,
  receiveAccountEvents,
  receiveNetworkEvents,
  verifyAccountWebhook,
} from '#schemas/social-webhooks.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';

const verifyToken = 'a-token-of-mine';
/** Parameters that the response to a verification request could repeat or sign. */
const challengeParameters = ['hub.challenge', 'crc_token', 'challengeCode'] as const;

type Challenge = Readonly<Record<string, string>>;
type Address = {
  readonly params: Readonly<Record<string, string>>;
  readonly verifyToken: string;
  readonly handshake: Contract;
  readonly delivery: Contract;
};

beforeAll(liftRateLimits);

function addressesOf({ id, platform }: SocialAccount): readonly Address[] {
  const name = platform.toLowerCase();

  return [
    {
      params: { platform: name },
      verifyToken: `sandbox-${name}-verify`,
      handshake: answerNetworkChallenge,
      delivery: receiveNetworkEvents,
    },
    {
      params: { account_id: id },
      verifyToken,
      handshake: verifyAccountWebhook,
      delivery: receiveAccountEvents,
    },
  ];
}

async function subscribedAccount(platform: Platform): Promise<SocialAccount> {
  const account = await connectedAccount(newId(), { platform });
  const subscription = { verifyToken };
  await subscribeToAccount(
    account.organizationId,
    newId(),
    account.id,
    subscription,
    noExtraWrites,
  );

  return account;
}

/** Returns a new video in the format of YouTube's hub. */
function feedOf({ platformUserId }: SocialAccount): string {
  return `<feed><entry><yt:videoId>v1</yt:videoId><yt:channelId>${platformUserId}</yt:channelId><updated>${new Date().toISOString()}</updated></entry></feed>`;
}

function sendHandshake(address: Address, challenge: Challenge): Promise<Answer> {
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': address.verifyToken, ...challenge };

  return call(address.handshake, { params: address.params, query });
}

/** Returns everything in the response that could be a signature, as text and as bytes. */
function signaturesIn({ body }: Answer): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const parts = text.match(/[A-Za-z0-9+/_-]{20,}={0,2}/g) ?? [];
  const bytes = parts.flatMap((part) => [Buffer.from(part, 'hex'), Buffer.from(part, 'base64')]);

  return [...parts, ...bytes.flatMap((each) => [each.toString('hex'), each.toString('base64')])];
}

/** Returns the signature in the header and format of every network. */
function signedAs(signature: string): Readonly<Record<string, string>> {
  return {
    'x-hub-signature-256': `sha256=${signature}`,
    'x-hub-signature': `sha256=${signature}`,
    'x-twitter-webhooks-signature': `sha256=${signature}`,
    'x-li-signature': `hmacsha256=${signature}`,
    'tiktok-signature': `t=${Math.floor(Date.now() / 1_000)},s=${signature}`,
  };
}

/** Returns the statuses for `bodies` that are signed with values from our own responses. */
async function statusesOf(
  { params, delivery }: Address,
  answers: readonly Answer[],
  bodies: readonly string[],
): Promise<readonly number[]> {
  const signatures = new Set([...answers.flatMap(signaturesIn), '']);
  const statuses: number[] = [];
  for (const signature of signatures) {
    for (const body of bodies) {
      const answer = await call(delivery, { params, body, headers: signedAs(signature) });
      statuses.push(answer.status);
    }
  }

  return statuses;
}

describe.each(platforms)('a handshake with %s', (platform) => {
  it('returns nothing that would sign a delivery', async () => {
    const account = await subscribedAccount(platform);
    const body = platform === 'YOUTUBE' ? feedOf(account) : (await signedEvent(account)).body;
    const texts = [body, `hmacsha256=${body}`, `${Math.floor(Date.now() / 1_000)}.${body}`];
    const challenges = texts.flatMap((text): readonly Challenge[] => [
      ...challengeParameters.map((name) => ({ [name]: text })),
      Object.fromEntries(challengeParameters.map((name) => [name, text])),
    ]);

    for (const address of addressesOf(account)) {
      const answers: Answer[] = [];
      for (const challenge of challenges) {
        answers.push(await sendHandshake(address, challenge));
      }

      expect(new Set(await statusesOf(address, answers, texts))).toEqual(new Set([401]));
    }
  });

  it("signs nothing that is a delivery, whatever the challenge's format", async () => {
    const account = await subscribedAccount(platform);
    const texts = ['7', 'true', 'null', 'A-token_of-X==', randomUUID()];

    for (const address of addressesOf(account)) {
      for (const text of texts) {
        const answers: Answer[] = [];
        for (const name of challengeParameters) {
          answers.push(await sendHandshake(address, { [name]: text }));
        }
        const echoes = answers.map(({ body }) => String(body));
        const statuses = await statusesOf(address, answers, [text, ...new Set(echoes)]);

        // A JSON value that is not an object returns 400, whatever its signature.
        expect(statuses.filter((status) => status !== 400 && status !== 401)).toEqual([]);
      }
    }
  });
});

describe('a challenge that the network would never send', () => {
  const signed = '{"for_user_id":"1","favorite_events":[]}';

  it.each([
    ['twitter', 'crc_token', signed],
    ['twitter', 'crc_token', ''],
    ['twitter', 'crc_token', 'a'.repeat(201)],
    ['twitter', 'crc_token', 'two words'],
    ['twitter', 'crc_token', 'a\n'],
    ['twitter', 'crc_token', 'a==='],
    ['linkedin', 'challengeCode', `hmacsha256=${signed}`],
    ['linkedin', 'challengeCode', ''],
    ['linkedin', 'challengeCode', `${randomUUID()}\n`],
    ['linkedin', 'challengeCode', randomUUID().replaceAll('-', '')],
  ])('returns 400 for %s: %s=%j', async (platform, name, value) => {
    const { status, body } = await call(answerNetworkChallenge, {
      params: { platform },
      query: { [name]: value },
    });

    expect([status, body.message]).toEqual([
      400,
      [expect.stringMatching(`^${name} (has an invalid format|must be a valid UUID)$`)],
    ]);
  });
});
