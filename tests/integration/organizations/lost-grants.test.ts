import { beforeEach, describe, expect, test } from 'vitest';
import { listConnectLinks } from '#lib/features/social/oauth/connect-links.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { deleteMe } from '#schemas/auth.ts';
import { createConnectLink, openConnectLink } from '#schemas/connect-links.ts';
import { getCalendarFeed, renewCalendarFeed } from '#schemas/content.ts';
import type { Role } from '#schemas/contract.ts';
import {
  acceptInvitation,
  inviteMember,
  leaveOrganization,
  listInvitations,
  removeMember,
  updateMemberRole,
  updateOrganization,
} from '#schemas/organizations.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { type Account, freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { inviteByMail, organizationWith } from '#tests/support/organizations.ts';
import { overtake } from '#tests/support/overtake.ts';

let owner: Account;
let maker: Account;
let guest: Account;
let organizationId: string;

beforeEach(async () => {
  [owner, maker, guest] = [await newAccount(), await newAccount(), await newAccount()];
  process.env.INVITATION_LIMIT_PER_UNVERIFIED_USER = '1000';
});

async function organizationWhereMakerIs(role: Role): Promise<void> {
  organizationId = await organizationWith(owner, [[maker, role]]);
}

const path = () => ({ organization_id: organizationId });
const aboutMaker = () => ({ ...path(), user_id: maker.userId });

const remove = () => call(removeMember, { params: aboutMaker(), token: owner.token });
const leave = () => call(leaveOrganization, { params: path(), token: maker.token });
const demote = (role: Role) =>
  call(updateMemberRole, { params: aboutMaker(), body: { role }, token: owner.token });
const allowMemberInvites = (isAllowed: boolean) =>
  call(updateOrganization, {
    params: path(),
    body: { settings: { allowMemberInvites: isAllowed } },
    token: owner.token,
  });
const accept = (token: string) => call(acceptInvitation, { body: { token }, token: guest.token });
const inviteBy = (account: Account, role: Role, email = freshEmail()) =>
  call(inviteMember, { params: path(), body: { email, role }, token: account.token });

type Listed = { readonly role: Role; readonly status: string; readonly invitedBy: string };

async function listed(): Promise<readonly Listed[]> {
  return (await call(listInvitations, { params: path(), token: owner.token })).body.invitations;
}

async function statusesByRole(): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await listed()).map(({ role, status }) => [role, status]));
}

async function inviteAll(roles: readonly Role[]): Promise<void> {
  for (const role of roles) {
    expect((await inviteBy(maker, role)).status).toBe(201);
  }
}

describe('the pending invitations of a member', () => {
  test.each([
    ['is removed', remove],
    ['leaves', leave],
  ])('are revoked when the member %s', async (_, end) => {
    await organizationWhereMakerIs('ADMIN');
    const { token } = await inviteByMail(maker, organizationId, {
      email: guest.email,
      role: 'ADMIN',
    });
    const other = await inviteBy(owner, 'MEMBER');
    expect((await end()).status).toBe(200);

    const answer = await accept(token);
    expect([answer.status, answer.body.message]).toEqual([409, 'Invitation is already revoked']);
    expect(await statusesByRole()).toEqual({ ADMIN: 'revoked', MEMBER: 'pending' });
    // If the member returns, the invitation stays revoked.
    await seat(organizationId, maker.userId, 'OWNER');
    expect((await accept(token)).status).toBe(409);
    expect(other.status).toBe(201);
  });

  test.each([
    ['OWNER', 'ADMIN', { OWNER: 'revoked', ADMIN: 'pending', MEMBER: 'pending' }],
    ['OWNER', 'MEMBER', { OWNER: 'revoked', ADMIN: 'revoked', MEMBER: 'revoked' }],
    ['ADMIN', 'VIEWER', { ADMIN: 'revoked', MEMBER: 'revoked' }],
  ] as const)(
    'end if a demotion from %s to %s no longer allows their role',
    async (from, to, after) => {
      await organizationWhereMakerIs(from);
      await inviteAll(Object.keys(after) as Role[]);
      expect((await demote(to)).status).toBe(200);

      expect(await statusesByRole()).toEqual(after);
      await demote(from);
      expect(await statusesByRole()).toEqual(after);
    },
  );

  test('are kept if members may invite and may grant the role', async () => {
    await organizationWhereMakerIs('ADMIN');
    await allowMemberInvites(true);
    await inviteAll(['ADMIN', 'MEMBER', 'VIEWER']);
    await demote('MEMBER');

    expect(await statusesByRole()).toEqual({
      ADMIN: 'revoked',
      MEMBER: 'pending',
      VIEWER: 'pending',
    });
  });

  test("end when members may no longer invite, but other people's are kept", async () => {
    await organizationWhereMakerIs('MEMBER');
    await allowMemberInvites(true);
    await inviteAll(['MEMBER', 'VIEWER']);
    await inviteBy(owner, 'ADMIN');
    await allowMemberInvites(false);
    const ended = { MEMBER: 'revoked', VIEWER: 'revoked', ADMIN: 'pending' };

    expect(await statusesByRole()).toEqual(ended);
    await allowMemberInvites(true);
    expect(await statusesByRole()).toEqual(ended);
  });

  test('are all revoked, even more than fit into one transaction', async () => {
    await organizationWhereMakerIs('ADMIN');
    for (let batch = 0; batch < 5; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 9 }, () => inviteBy(maker, 'VIEWER')));
      expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    }
    await remove();

    const statuses = (await listed()).map(({ status }) => status);
    expect(statuses).toHaveLength(45);
    expect(statuses.filter((status) => status !== 'revoked')).toEqual([]);
  });

  test('can be replaced by another member afterwards', async () => {
    await organizationWhereMakerIs('ADMIN');
    await inviteByMail(maker, organizationId, { email: guest.email, role: 'ADMIN' });
    await remove();
    const { token } = await inviteByMail(owner, organizationId, {
      email: guest.email,
      role: 'MEMBER',
    });

    expect((await accept(token)).status).toBe(200);
  });
});

/** Returns the token from the URL of a link's page. */
async function connectLinkOf({ token }: Account): Promise<string> {
  const headers = { 'x-organization-id': organizationId };
  const { body } = await call(createConnectLink, {
    token,
    headers,
    body: { platform: 'FACEBOOK' },
  });

  return String(body.connectLink?.url).split('/').at(-1) ?? '';
}

/** Returns the token from the calendar's URL. */
async function calendarOf({ token }: Account): Promise<string> {
  const { body } = await call(renewCalendarFeed, { params: path(), token, body: {} });

  return new URL(body.calendar?.url ?? 'https://none.example').searchParams.get('token') ?? '';
}

const openLink = async (token: string) =>
  (await call(openConnectLink, { params: { token } })).status;
const readCalendar = async (token: string) =>
  (await call(getCalendarFeed, { params: path(), query: { token } })).status;

describe('the connect links and the calendar address of a member', () => {
  test('keep a link that is used while the member is removed', async () => {
    await organizationWhereMakerIs('ADMIN');
    await connectLinkOf(maker);
    const [link] = await listConnectLinks(organizationId);
    const key = keys.connectLink(organizationId, String(link?.id));
    const use = () => write(change(key, { set: { usedAt: timestamp() } }));
    await overtake({ begin: remove, key }, use);

    expect(await get(key)).toBeDefined();
  });

  const deleteAccount = () => call(deleteMe, { token: maker.token, body: { password } });

  test.each([
    ['is removed', 'ADMIN', remove, 410, 404],
    ['leaves', 'ADMIN', leave, 410, 404],
    ['deletes the account', 'ADMIN', deleteAccount, 410, 404],
    ['deletes the account of an owner', 'OWNER', deleteAccount, 410, 404],
    ['becomes a VIEWER', 'ADMIN', () => demote('VIEWER'), 410, 404],
    ['becomes a MEMBER, who may have the address alone', 'ADMIN', () => demote('MEMBER'), 410, 200],
    ['becomes an ADMIN', 'OWNER', () => demote('ADMIN'), 200, 200],
  ] as const)(
    'end according to the rules when the member %s',
    async (_, role, end, link, calendar) => {
      await organizationWhereMakerIs(role);
      const [linkToken, others] = [await connectLinkOf(maker), await connectLinkOf(owner)];
      const calendarToken = await calendarOf(maker);
      expect([await openLink(linkToken), await readCalendar(calendarToken)]).toEqual([200, 200]);
      expect((await end()).status).toBe(200);

      expect([await openLink(linkToken), await readCalendar(calendarToken)]).toEqual([
        link,
        calendar,
      ]);
      expect(await openLink(others)).toBe(200);
    },
  );

  test('are kept if others created them', async () => {
    await organizationWhereMakerIs('ADMIN');
    await calendarOf(maker);
    const calendarToken = await calendarOf(owner);
    await remove();

    expect(await readCalendar(calendarToken)).toBe(200);
  });

  test('all end, even if there are more links than fit into one transaction, and free the quota', async () => {
    await organizationWhereMakerIs('ADMIN');
    const tokens = [];
    for (let made = 0; made < 23; made += 1) {
      tokens.push(await connectLinkOf(maker));
    }
    await remove();

    expect(new Set(await Promise.all(tokens.map(openLink)))).toEqual(new Set([410]));
    const counter = await get<{ value: number }>(keys.counter(organizationId, 'CONNECT_LINKS'));
    expect(counter?.value).toBe(0);
  });

  test.each([
    ['a removal', remove],
    ['a demotion', () => demote('VIEWER')],
  ])('never remain after a concurrent change: %s', async (_, end) => {
    for (let round = 0; round < depth(3); round += 1) {
      await organizationWhereMakerIs('ADMIN');
      const [ended, link, calendar] = await Promise.all([
        end(),
        connectLinkOf(maker),
        calendarOf(maker),
      ]);

      expect(ended?.status).toBe(200);
      expect([404, 410]).toContain(await openLink(link));
      expect(await readCalendar(calendar)).not.toBe(200);
    }
  });
});

describe('concurrent requests', () => {
  test.each([
    ['a removal', remove],
    ['a demotion', () => demote('VIEWER')],
  ])('leave no pending invitation of the member after %s', async (_, end) => {
    for (let round = 0; round < depth(4); round += 1) {
      await organizationWhereMakerIs('ADMIN');
      const [ended, ...invited] = await Promise.all([
        end(),
        ...Array.from({ length: 3 }, () => inviteBy(maker, 'VIEWER')),
      ]);

      expect(ended?.status).toBe(200);
      const made = invited.filter(({ status }) => status === 201);
      const statuses = (await listed()).map(({ status }) => status);
      expect(statuses).toEqual(made.map(() => 'revoked'));
    }
  });

  test('leave no pending invitation of a member after the setting is turned off', async () => {
    for (let round = 0; round < depth(4); round += 1) {
      await organizationWhereMakerIs('ADMIN');
      await allowMemberInvites(true);
      await inviteBy(maker, 'MEMBER');
      const answers = await Promise.all([
        allowMemberInvites(false),
        demote('MEMBER'),
        inviteBy(maker, 'VIEWER'),
      ]);

      expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
      expect((await listed()).filter(({ status }) => status !== 'revoked')).toEqual([]);
    }
  });

  test('result in either the acceptance or the removal coming first', async () => {
    await organizationWhereMakerIs('ADMIN');
    await inviteBy(maker, 'ADMIN', guest.email);
    const [mail] = await mailsTo(guest.email);
    const [joined, removed] = await Promise.all([accept(tokenIn(mail)), remove()]);

    expect(removed.status).toBe(200);
    expect([200, 409]).toContain(joined.status);
    expect(await statusesByRole()).toEqual({
      ADMIN: joined.status === 200 ? 'accepted' : 'revoked',
    });
  });
});
