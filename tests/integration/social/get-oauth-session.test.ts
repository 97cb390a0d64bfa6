import { describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { newOffer, storedFinish, storeOAuthSession } from '#scripts/fixtures/oauth-sessions.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount, newMember } from '#tests/support/accounts.ts';
import { storedItems } from '#tests/support/table.ts';
import { type Consented, getOauthSession, start } from './setup.ts';

const owner = await newAccount();

function proven(sessionId: string) {
  return { sessionId, finish: storedFinish };
}

describe('an OAuth session', () => {
  it('is pending until the network answers', async () => {
    const { sessionId, expiresAt } = (await start(owner.token, 'TIKTOK')).body;
    const { status, body } = await getOauthSession(owner.token, { sessionId });
    expect(status).toBe(200);
    expect(body.oauthSession).toEqual({
      id: sessionId,
      platform: 'TIKTOK',
      status: 'PENDING',
      error: null,
      expiresAt,
      choices: [],
    });
  });

  it('shows who has connected each choice, but nothing else of other organizations', async () => {
    const offers = await Promise.all([newOffer(), newOffer(), newOffer()]);
    const [free, own, foreign] = offers.map(({ choice }) => choice.platformUserId);
    const other = await newAccount();
    await storeSocialAccount(owner.organizationId, { platformUserId: String(own) });
    const theirs = await storeSocialAccount(other.organizationId, {
      platformUserId: String(foreign),
      platformUserName: 'Secret name',
    });
    const { id } = await storeOAuthSession(owner.organizationId, { offers });
    const { body } = await getOauthSession(owner.token, proven(id));
    const shown = { name: 'Engines', kind: 'PAGE', avatarUrl: null };
    expect(body.oauthSession.choices).toEqual([
      { ...shown, platformUserId: free, connected: 'NONE' },
      { ...shown, platformUserId: own, connected: 'HERE' },
      { ...shown, platformUserId: foreign, connected: 'ELSEWHERE' },
    ]);
    const text = JSON.stringify(body);
    for (const secret of [other.organizationId, theirs.id, 'Secret name', 'accessToken']) {
      expect(text).not.toContain(secret);
    }
  });

  it('shows choices only with the secret of the browser that came back', async () => {
    const offers = [await newOffer()];
    const { id: sessionId } = await storeOAuthSession(owner.organizationId, { offers });
    for (const finish of [{}, { finish: '' }, { finish: storedFinish.slice(1) }]) {
      const { status, body } = await getOauthSession(owner.token, { sessionId, ...finish });
      expect([status, body.code]).toEqual([403, 'CONSENT_PROOF_INVALID']);
    }
    const { id } = await storeOAuthSession(owner.organizationId, { offers, status: 'DONE' });
    const choicesOf = async (session: Consented) =>
      (await getOauthSession(owner.token, session)).body.oauthSession.choices.length;
    expect([await choicesOf({ sessionId: id }), await choicesOf(proven(id))]).toEqual([0, 1]);
  });

  it('can be read by another admin, but not by a user of another organization', async () => {
    const { id } = await storeOAuthSession(owner.organizationId);
    const admin = await newMember(owner, 'ADMIN');
    const member = await newMember(owner, 'MEMBER');
    const stranger = await newAccount();
    const headers = { 'x-organization-id': owner.organizationId };
    expect((await getOauthSession(admin.token, proven(id), headers)).status).toBe(200);
    expect((await getOauthSession(member.token, proven(id), headers)).status).toBe(403);
    expect((await getOauthSession(admin.token, proven(id))).status).toBe(404);
    expect((await getOauthSession(stranger.token, proven(id))).status).toBe(404);
  });

  it('that belongs to a connect link cannot be read through this operation', async () => {
    const { id } = await storeOAuthSession(owner.organizationId, {
      connectLinkId: crypto.randomUUID(),
    });
    expect((await getOauthSession(owner.token, proven(id))).status).toBe(404);
  });

  it('is not found after 15 minutes, even before the table removes it', async () => {
    const { id, expiresAt } = await storeOAuthSession(owner.organizationId);
    setClock(() => Date.parse(expiresAt) + 1_000);
    expect((await getOauthSession(owner.token, proven(id))).status).toBe(404);
  });

  it('stores the tokens encrypted for this session only', async () => {
    const offer = await newOffer();
    const session = await storeOAuthSession(owner.organizationId, { offers: [offer] });
    const items = await storedItems();
    expect(JSON.stringify(items)).not.toContain(offer.tokens.accessToken);
    const stored = items.find(({ sk }) => sk === session.sk);
    expect(stored?.expiresAtSeconds).toBe(session.expiresAtSeconds);
  });
});
