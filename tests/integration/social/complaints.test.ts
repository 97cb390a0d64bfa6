import { describe, expect, it } from 'vitest';
import { handler as tokenRefresh } from '#functions/jobs/token-refresh.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { dayMs, hourMs, minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import {
  canReplyToConversation,
  closeConversation,
  pauseConversation,
  replyToConversation,
} from '#schemas/conversations.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import type { Platform } from '#schemas/platforms.ts';
import { connectSocialAccount, syncSocialAccount } from '#schemas/social.ts';
import { connectionBody, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { drainWork } from '#tests/support/work.ts';
import { newCustomer, replySetup } from '../replies/setup.ts';

/**
 * Common complaints about systems that keep accounts connected and reply for them: "it keeps
 * disconnecting" and "it talked over me, twice, or too late". Each test shows that this cannot
 * happen here.
 */
const owner = await newAccount();

async function stored(id: string, organizationId = owner.organizationId): Promise<SocialAccount> {
  return (await findSocialAccount(organizationId, id)) as SocialAccount;
}

/** Runs the job every 15 minutes between two times. */
async function refreshEachQuarter(fromMs: number, toMs: number): Promise<void> {
  for (let passed = fromMs; passed <= toMs; passed += 15 * minuteMs) {
    setClock(() => Date.now() + passed);
    await tokenRefresh(undefined, lambdaContext(300_000));
  }
  setClock();
}

async function alertsOf({ token, organizationId }: Account): Promise<readonly string[]> {
  const params = { organization_id: organizationId };
  const { alerts } = (await call(getOrganizationHealth, { token, params })).body.health;

  return alerts.map(({ type }: { type: string }) => type);
}

describe('a connected account', () => {
  it.each([
    ['TWITTER', 7_200],
    ['YOUTUBE', 3_600],
  ] as const)(
    'of %s stays connected with short-lived tokens, which are not refreshed too often',
    async (platform, expiresIn) => {
      const { id, refreshToken } = await connectAccount(owner.token, { platform, expiresIn });
      await refreshEachQuarter(0, 6 * hourMs);
      const account = await stored(id);

      expect(account).toMatchObject({ isActive: true });
      // The token is refreshed once per three quarters of its lifetime, not in every run.
      const renewed = account.tokenVersion - 1;
      expect(renewed).toBeGreaterThanOrEqual(Math.floor((6 * 3_600) / expiresIn) - 1);
      expect(renewed).toBeLessThanOrEqual(Math.ceil((6 * 3_600) / (expiresIn * 0.75)));
      const isKept = (await openToken(account, 'refreshToken')) === refreshToken;
      expect(isKept).toBe(platform === 'YOUTUBE');
    },
  );

  it('keeps its refresh token when it is reconnected without one', async () => {
    const { id, platformUserId, refreshToken } = await connectAccount(owner.token, {
      platform: 'YOUTUBE',
    });
    await deactivateAccount(await stored(id), 'The token died');
    const { refreshToken: _, ...body } = await connectionBody({
      platform: 'YOUTUBE',
      platformUserId,
    });
    expect((await call(connectSocialAccount, { token: owner.token, body })).status).toBe(201);

    const again = await stored(id);
    expect(again.isActive).toBe(true);
    expect(await openToken(again, 'refreshToken')).toBe(refreshToken);
  });

  it.each([
    ['an outage', 503, { code: 2 }, 502],
    ['a limit', 400, { code: 4 }, 502],
    ['a missing permission', 403, { code: 200 }, 403],
    ['a page that Meta briefly reports as not found', 400, { code: 100, error_subcode: 33 }, 502],
  ])('survives %s without a mail to its owners', async (_, status, error, answered) => {
    const own = await newAccount();
    const { id, params } = await connectAccount(own.token);
    const body = { error: { message: 'No', ...error } };
    await sandbox.addFault({ service: 'facebook', mode: 'error', status, body });
    const answer = await call(syncSocialAccount, { token: own.token, params, body: {} });

    expect(answer.status).toBe(answered);
    expect(await stored(id, own.organizationId)).toMatchObject({ isActive: true, tokenVersion: 1 });
    await drainWork('mail-delivery');
    expect(await mailsTo(own.email)).toEqual([]);
  });

  it('on Instagram with an invalid token is reported as such to its owners once, not as an outage', async () => {
    const own = await newAccount();
    const { id, params, accessToken } = await connectAccount(own.token, { platform: 'INSTAGRAM' });
    await sandbox.network('INSTAGRAM').revokeTokens(accessToken);
    const sync = () => call(syncSocialAccount, { token: own.token, params, body: {} });

    for (const answer of [await sync(), await sync()]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'PLATFORM_TOKEN_INVALID']);
    }
    expect((await stored(id, own.organizationId)).isActive).toBe(false);
    expect(await alertsOf(own)).toContain('ACCOUNT_INACTIVE');
    await drainWork('mail-delivery');
    expect(await mailsTo(own.email)).toHaveLength(1);
  });

  it('of LinkedIn without a refresh token works until its token expires, after a warning', async () => {
    const own = await newAccount();
    const tokenExpiresAt = timestamp(2 * dayMs);
    const { platform, platformUserId, accessToken } = await connectionBody({
      platform: 'LINKEDIN',
      expiresIn: 1,
    });
    const { id } = await storeSocialAccount(own.organizationId, {
      platform: platform as Platform,
      platformUserId,
      accessToken,
      tokenExpiresAt,
      ...dueIn('TOKEN_REFRESH', tokenExpiresAt),
    });
    await sandbox.network('LINKEDIN').revokeTokens(accessToken);

    expect(await alertsOf(own)).toEqual(['TOKEN_EXPIRING']);
    await refreshEachQuarter(dayMs, dayMs);
    expect((await stored(id, own.organizationId)).isActive).toBe(true);
    await refreshEachQuarter(2 * dayMs + minuteMs, 2 * dayMs + minuteMs);
    expect(await stored(id, own.organizationId)).toMatchObject({
      isActive: false,
      inactiveReason: expect.stringContaining('connect the account again'),
    });
  });

  it.each([
    ['FACEBOOK', ['messages', 'message_echoes', 'feed']],
    ['INSTAGRAM', ['messages', 'comments']],
  ] as const)(
    'of %s is subscribed to messages, without which none would arrive',
    async (platform, fields) => {
      const { platformUserId } = await connectAccount(owner.token, { platform });
      const [subscription] = await sandbox.network(platform).subscriptions(platformUserId);

      expect(subscription?.fields).toEqual(expect.arrayContaining([...fields]));
    },
  );
});

describe('replies to customers', () => {
  it.each(['FACEBOOK', 'INSTAGRAM'] as const)(
    'on %s carry no message tag, neither a human agent tag nor one that Meta has retired',
    async (platform) => {
      const own = await newAccount();
      const world = replySetup(own);
      const account = await world.account({ platform });
      await world.agent();
      const from = newCustomer();
      await world.say(account, { type: 'message', text: 'Hello?', from });
      await world.workOff();
      const [conversation] = await world.conversations(account);
      const params = { organization_id: own.organizationId, conversation_id: conversation?.id };
      const body = { message: 'A person here' };
      expect((await call(replyToConversation, { token: own.token, params, body })).status).toBe(
        200,
      );

      expect(await world.replies(account)).toHaveLength(2);
      const sent = await sandbox.requests({
        service: platform.toLowerCase(),
        contains: account.platformUserId,
      });
      const messages = sent.filter(({ path }) => path.endsWith('/messages'));
      expect(messages).toHaveLength(2);
      expect(messages.map((one) => decodeURIComponent(one.body)).join()).not.toMatch(
        /tag|HUMAN_AGENT|UPDATE/i,
      );
    },
  );

  it('come from the agent again, once, after a human conversation is closed', async () => {
    const own = await newAccount();
    const world = replySetup(own);
    const account = await world.account();
    await world.agent();
    const from = newCustomer();
    const says = async (text: string) => {
      await world.say(account, { type: 'message', text, from }, 2);
      await world.workOff();
    };
    await says('Hello?');
    const [conversation] = await world.conversations(account);
    const params = { organization_id: own.organizationId, conversation_id: conversation?.id };
    const turn = { token: own.token, params };
    await call(pauseConversation, turn);
    await says('Anybody?');
    expect(await world.replies(account)).toHaveLength(1);

    await call(closeConversation, turn);
    await says('One more thing');
    expect(await world.replies(account)).toHaveLength(2);
    expect(await world.conversations(account)).toMatchObject([
      { id: conversation?.id, status: 'OPEN', controller: 'BOT', responseCount: 2 },
    ]);
  });

  it('are canceled when the conversation is closed while they wait', async () => {
    const own = await newAccount();
    const world = replySetup(own);
    const account = await world.account();
    await world.agent();
    await world.say(account, { type: 'message', text: 'Hello?', from: newCustomer() });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    const [conversation] = await world.conversations(account);
    const params = { organization_id: own.organizationId, conversation_id: conversation?.id };
    expect((await call(closeConversation, { token: own.token, params })).status).toBe(200);
    await drainWork('replies');

    expect(await world.replies(account)).toEqual([]);
    expect(await world.trace(conversation?.id)).toMatchObject([
      { reply: { outcome: 'SUPERSEDED' } },
    ]);
    expect(await world.credits()).toEqual([100, 100]);
  });
});

describe.each(['story', 'storyMention', 'reel'] as const)('a %s in a message', (kind) => {
  it('is a link to the network, and people answer it in private', async () => {
    const own = await newAccount();
    const world = replySetup(own);
    const account = await world.account({ platform: 'INSTAGRAM' });
    await world.agent();
    const from = newCustomer();
    await world.say(account, { type: 'message', text: '', from, attachments: [{ kind }] });
    await world.workOff();
    await drainWork('attachments');
    const [conversation] = await world.conversations(account);
    const params = { organization_id: own.organizationId, conversation_id: conversation?.id };
    const asking = { params, token: own.token };

    expect(conversation).toMatchObject({
      channel: 'DIRECT_MESSAGE',
      stopReason: 'NO_TEXT',
      handedOverAt: expect.any(String),
    });
    expect(conversation?.messages[0].attachments).toEqual([
      {
        id: expect.any(String),
        kind: kind === 'reel' ? 'OTHER' : 'STORY',
        contentType: null,
        bytes: null,
        url: expect.stringContaining('/instagram/_files/'),
      },
    ]);
    expect((await call(canReplyToConversation, asking)).body.canReply.person).toEqual({
      allowed: true,
      until: expect.any(String),
      reason: null,
    });
    const answer = await call(replyToConversation, { ...asking, body: { message: 'Thank you!' } });
    expect(answer.body.reply?.status).toBe('SENT');
    expect(await world.replies(account)).toMatchObject([{ kind: 'message', to: from.id }]);
  });
});
