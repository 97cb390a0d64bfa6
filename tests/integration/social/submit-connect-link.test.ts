import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { listConnectLinks } from '#schemas/connect-links.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { listSocialAccounts } from '#schemas/social.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  choose,
  connectOauthSession,
  consentAt,
  goThrough,
  newLink,
  newPerson,
  openConnectLink,
  prepareConsent,
  receiveOauthCallback,
  sandbox,
  start,
  submitConnectLink,
} from './setup.ts';

let owner: Account;

beforeAll(prepareConsent);

beforeEach(async () => {
  owner = await newAccount();
});

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

async function accounts() {
  return (await call(listSocialAccounts, { token: owner.token })).body.socialAccounts;
}

async function linkWithSession(count = 1) {
  const { id, linkToken } = await newLink(owner);
  const person = await newPerson('FACEBOOK', { count });
  const session = await goThrough(linkToken, 'FACEBOOK', 'allow', person);

  return { id, linkToken, session, ids: person.accounts.map((account) => account.id) };
}

describe('the form of a connect link', () => {
  it('connects the chosen accounts, and uses up the link', async () => {
    const { id, linkToken, session, ids } = await linkWithSession(3);
    const [first, second] = ids.map(String);
    const answer = await choose(linkToken, session, [String(first), String(second)]);
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      `http://localhost:3000/connect/${linkToken}?session=${session}`,
    ]);
    const connected = await accounts();
    expect(
      connected.map(({ platformUserId }: { platformUserId: string }) => platformUserId).sort(),
    ).toEqual([first, second].sort());
    const result = await openConnectLink(linkToken, { session });
    expect(result.status).toBe(200);
    expect(result.body).toContain('All set');
    expect((await openConnectLink(linkToken)).status).toBe(410);
    const [link] = (await call(listConnectLinks, { token: owner.token })).body.connectLinks;
    expect(link).toMatchObject({ id, usedAt: expect.any(String) });
    const params = { organization_id: owner.organizationId };
    const { entries } = (await call(listAuditLog, { token: owner.token, params })).body;
    expect(entries[0]).toMatchObject({
      action: 'social_account.connected',
      actorId: null,
      details: { platform: 'FACEBOOK', connectLinkId: id },
    });
  });

  it('shows the result again when it is sent twice', async () => {
    const { linkToken, session, ids } = await linkWithSession();
    const first = await choose(linkToken, session, ids);
    const second = await choose(linkToken, session, ids);
    expect(second.headers.location).toBe(first.headers.location);
    expect((await accounts()).length).toBe(1);
  });

  it('lets only one of two concurrent sessions of a link connect', async () => {
    const { linkToken, session, ids } = await linkWithSession();
    const person = await newPerson('FACEBOOK');
    const other = await goThrough(linkToken, 'FACEBOOK', 'allow', person);
    await Promise.all([
      choose(linkToken, session, ids),
      choose(linkToken, other, [String(person.accounts[0]?.id)]),
    ]);
    expect((await accounts()).length).toBe(1);
    const pages = [
      await openConnectLink(linkToken, { session }),
      await openConnectLink(linkToken, { session: other }),
    ];
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 410]);
  });

  it('does not use up the link if no account was connected, and explains why', async () => {
    const { linkToken, session, ids } = await linkWithSession();
    const taken = await storeSocialAccount((await newAccount()).organizationId, {
      platformUserId: String(ids[0]),
    });
    await choose(linkToken, session, ids);
    const page = await openConnectLink(linkToken, { session });
    expect(page.status).toBe(200);
    expect(page.body).toContain('Connected to another organization');
    expect(page.body).not.toContain(taken.organizationId);
    expect(page.body).not.toMatch(/<form/);
    expect((await openConnectLink(linkToken)).status).toBe(200);
  });

  it('can be sent again after an outage of the network', async () => {
    const { linkToken, session, ids } = await linkWithSession();
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    await choose(linkToken, session, ids);
    const page = await openConnectLink(linkToken, { session });
    expect(page.body).toContain('could not be connected: Facebook did not answer as expected');
    await sandbox.clearFaults();
    await choose(linkToken, session, ids);
    expect((await openConnectLink(linkToken, { session })).body).toContain('All set');
  });

  it.each([
    ['nothing', 0, 'Choose at least one.'],
    ['more than 20', 21, 'Choose at most 20.'],
  ])('shows the choice again if %s was chosen', async (_, count, message) => {
    const { linkToken, session, ids } = await linkWithSession(22);
    const { headers } = await choose(linkToken, session, ids.slice(0, count));
    const { searchParams } = new URL(headers.location ?? '');
    const page = await openConnectLink(linkToken, Object.fromEntries(searchParams));
    expect(page.body).toContain(message);
    expect(await accounts()).toEqual([]);
  });

  it('ignores accounts that were not offered', async () => {
    const { linkToken, session } = await linkWithSession();
    const foreign = await newPerson('FACEBOOK');
    await choose(linkToken, session, [String(foreign.accounts[0]?.id), "' OR 1=1", '\u0000']);
    expect(await accounts()).toEqual([]);
  });

  it.each([
    ['of another link', 'link'],
    ['of a user', 'user'],
    ['that is unknown', 'unknown'],
    ['that is malformed', 'malformed'],
  ])('rejects a session %s', async (_, kind) => {
    const { linkToken, ids } = await linkWithSession();
    const other = await linkWithSession();
    const begun = (await start(owner.token, 'FACEBOOK')).body;
    await receiveOauthCallback('FACEBOOK', await consentAt(begun.authorizationUrl));
    const sessions: Record<string, string> = {
      link: other.session,
      user: begun.sessionId,
      unknown: crypto.randomUUID(),
      malformed: '"><script>',
    };
    const { status, headers } = await choose(linkToken, String(sessions[kind]), [
      ...ids,
      ...other.ids,
    ]);
    expect(status).toBe(302);
    const { searchParams } = new URL(headers.location ?? '');
    const page = await openConnectLink(linkToken, Object.fromEntries(searchParams));
    expect(page.body).toContain('This took too long');
    expect(await accounts()).toEqual([]);
  });

  it('cannot be completed by a user of the organization', async () => {
    const { session, ids } = await linkWithSession();
    expect((await connectOauthSession(owner.token, { sessionId: session }, ids)).status).toBe(404);
  });

  it.each([
    ['an empty body', []],
    ['no session', [['account', '1']]],
    [
      'strange fields',
      [
        ['__proto__', 'x'],
        ['session', 'a&b=c'],
        ['account', '%zz'],
      ],
    ],
  ] as const)('works although %s', async (_, fields) => {
    const { linkToken } = await linkWithSession();
    expect((await submitConnectLink(linkToken, fields)).status).toBe(302);
    expect((await submitConnectLink('x'.repeat(43), fields)).status).toBe(404);
  });

  it('rejects an expired session', async () => {
    const { linkToken, session, ids } = await linkWithSession();
    const startedAt = Date.now();
    setClock(() => startedAt + 15 * 60_000 + 2_000);
    await choose(linkToken, session, ids);
    expect((await openConnectLink(linkToken, { session })).body).toContain('This took too long');
    expect(await accounts()).toEqual([]);
  });
});
