import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { roles } from '#schemas/contract.ts';
import {
  acceptInvitation,
  inviteMember,
  listInvitations,
  updateOrganization,
} from '#schemas/organizations.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { type Account, freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { atOnce } from '#tests/support/depth.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { inviteByMail, organizationWith } from '#tests/support/organizations.ts';
import { storedItems } from '#tests/support/table.ts';
import { moveClockWhenRead } from '#tests/support/time.ts';

const ownersOnly = 'Only owners can grant or revoke the owner role';
const refusal = 'Only owners and admins can invite members';

let ada: Account;
let grace: Account;
let organizationId: string;

beforeAll(async () => {
  ada = await newAccount();
  // This file sends more invitations than an unverified user may.
  await write(change(keys.user(ada.userId), { set: { emailVerified: true } }));
  grace = await newAccount({ firstName: 'Grace', lastName: 'Hopper' });
});
beforeEach(async () => {
  organizationId = await organizationWith(ada);
});
afterEach(() => {
  delete process.env.INVITATION_LIMIT_PER_USER;
});

function invite(body: unknown, { token } = ada, id = organizationId) {
  return call(inviteMember, { params: { organization_id: id }, body, token });
}

async function invitations(id = organizationId, { token } = ada) {
  const { body } = await call(listInvitations, {
    params: { organization_id: id },
    token,
  });

  return body.invitations as ReadonlyArray<{ readonly id: string; readonly status: string }>;
}

describe('inviting a member', () => {
  test('creates an invitation that is pending for exactly seven days', async () => {
    const email = freshEmail();
    moveClockWhenRead();

    const { status, body } = await invite({ email: ` ${email.toUpperCase()} `, role: 'ADMIN' });

    expect(status).toBe(201);
    expect(body.invitation).toMatchObject({
      email,
      role: 'ADMIN',
      invitedBy: ada.userId,
      status: 'pending',
    });
    const { invitedAt, expiresAt } = body.invitation;
    expect(Date.parse(expiresAt) - Date.parse(invitedAt)).toBe(7 * dayMs);
    expect(await invitations()).toEqual([body.invitation]);
  });

  test('stores the address until 90 days after the invitation has expired', async () => {
    const email = freshEmail();
    const { id, expiresAt } = (await invite({ email, role: 'VIEWER' })).body.invitation;
    const storedAt = (ms: number) => {
      setClock(() => Date.parse(expiresAt) + 90 * dayMs + ms);

      return Promise.all(
        [keys.invitation(organizationId, id), keys.pendingInvitation(organizationId, email)].map(
          async (key) => (await get(key)) !== undefined,
        ),
      );
    };

    expect(await storedAt(-minuteMs)).toEqual([true, true]);
    expect(await storedAt(minuteMs)).toEqual([false, false]);
  });

  test('sends one mail with the inviter, the organization, the message and the link', async () => {
    const id = await organizationWith(grace);
    const email = freshEmail();

    await inviteByMail(grace, id, { email, role: 'MEMBER', message: 'Come and reckon with us' });

    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: email,
      from: process.env.MAIL_FROM,
      subject: 'Grace Hopper invited you to join Difference Engines',
    });
    expect(mail?.text).toMatch(
      /^Grace Hopper invited you to join Difference Engines on Social Leads\.\n\nCome and reckon with us\n\n/,
    );
    const link = `${process.env.APP_URL}/invitations/accept?token=${tokenIn(mail)}`;
    expect(tokenIn(mail)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(mail?.text).toContain(`: ${link}\n`);
    expect(mail?.html).toContain(`<a href="${link}">`);
  });

  test('puts the token only in the mail and never in the table, even while the mail is queued', async () => {
    const email = freshEmail();
    const { status } = await invite({ email, role: 'MEMBER', message: 'Between you and me' });
    expect(status).toBe(201);
    const waiting = await storedItems();

    const token = tokenIn((await mailsTo(email))[0]);

    expect(waiting.some(({ sk }) => sk.startsWith('OUTBOX#mail#'))).toBe(true);
    for (const stored of [JSON.stringify(waiting), JSON.stringify(await storedItems())]) {
      expect(stored).not.toContain(token);
      expect(stored).not.toContain('Between you and me');
    }
  });

  test('replaces the pending invitation with a second one', async () => {
    const guest = await newAccount();
    const first = await inviteByMail(ada, organizationId, { email: guest.email, role: 'VIEWER' });
    const second = await inviteByMail(ada, organizationId, { email: guest.email, role: 'ADMIN' });

    const accept = (token: string) =>
      call(acceptInvitation, { body: { token }, token: guest.token });
    const late = await accept(first.token);
    expect([late.status, late.body.message]).toEqual([409, 'Invitation is already revoked']);
    const accepted = await accept(second.token);

    expect(accepted.body.organization).toEqual({
      id: organizationId,
      name: 'Difference Engines',
      role: 'ADMIN',
    });
    expect((await invitations()).map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'accepted'],
      [first.id, 'revoked'],
    ]);
  });

  test('leaves an expired invitation unchanged when the address is invited again', async () => {
    const email = freshEmail();
    await invite({ email, role: 'VIEWER' });
    const reader = await organizationOwnerAfter(7 * dayMs + minuteMs);

    await invite({ email, role: 'VIEWER' }, reader);

    const { body } = await call(listInvitations, {
      params: { organization_id: organizationId },
      token: reader.token,
    });
    expect(body.invitations.map(({ status }: { status: string }) => status)).toEqual([
      'pending',
      'expired',
    ]);
  });

  test("invites an address again after the old invitation's record has expired", async () => {
    const email = freshEmail();
    await invite({ email, role: 'VIEWER' });
    const reader = await organizationOwnerAfter(98 * dayMs);

    expect((await invite({ email, role: 'VIEWER' }, reader)).status).toBe(201);
  });

  test('leaves exactly one pending invitation after concurrent ones for the same address', async () => {
    const email = freshEmail();

    process.env.INVITATION_LIMIT_PER_ADDRESS = '100';
    const answers = await Promise.all(
      Array.from({ length: atOnce(20) }, () => invite({ email, role: 'VIEWER' })),
    );
    delete process.env.INVITATION_LIMIT_PER_ADDRESS;

    const statuses = answers.map(({ status }) => status);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    const made = statuses.filter((status) => status === 201).length;
    const kept = await invitations();
    expect(kept).toHaveLength(made);
    expect(kept.filter(({ status }) => status === 'pending')).toHaveLength(1);
    expect(await mailsTo(email)).toHaveLength(made);
  });
});

/** Signs up a new owner of the organization in the future. The clock then stays there. */
async function organizationOwnerAfter(ms: number): Promise<Account> {
  setClock(() => Date.now() + ms);
  const reader = await newAccount();
  await seat(organizationId, reader.userId, 'OWNER');

  return reader;
}

describe('invalid input', () => {
  test.each([
    ['no email', { role: 'MEMBER' }, 'email'],
    ['an invalid email', { email: 'ada', role: 'MEMBER' }, 'email'],
    [
      'an email with a line break',
      { email: 'a@b.example\r\nBcc: c@d.example', role: 'MEMBER' },
      'email',
    ],
    ['two emails', { email: 'a@b.example, c@d.example', role: 'MEMBER' }, 'email'],
    ['no role', { email: 'a@b.example' }, 'role'],
    [
      'a message of 1,001 characters',
      { email: 'a@b.example', role: 'MEMBER', message: 'm'.repeat(1_001) },
      'message',
    ],
  ])('returns 400 with the field for %s, and sends no mail', async (_, body, field) => {
    const answer = await invite(body);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(new RegExp(`^${field} `))]);
    expect(await invitations()).toEqual([]);
  });

  test('returns 400 listing the valid roles for an unknown role', async () => {
    const { status, body } = await invite({ email: freshEmail(), role: 'KING' });

    expect([status, body.message]).toEqual([
      400,
      ['role must be one of the following values: OWNER, ADMIN, MEMBER, VIEWER'],
    ]);
  });

  test.each([(email: string) => email, (email: string) => ` ${email.toUpperCase()}`])(
    'returns 409 for an existing member, however the address is written',
    async (spelt) => {
      const id = await organizationWith(ada, [[grace, 'VIEWER']]);

      const { status, body } = await invite({ email: spelt(grace.email), role: 'ADMIN' }, ada, id);

      expect([status, body.message]).toEqual([
        409,
        'User is already a member of this organization',
      ]);
      expect(await invitations(id)).toEqual([]);
    },
  );
});

describe('user text in the mail', () => {
  test('is escaped in HTML', async () => {
    const evil = `<img src=x onerror="alert('1')">&amp;`;
    const escaped = '&lt;img src=x onerror=&quot;alert(';
    const mallory = await newAccount({
      firstName: evil,
      lastName: '</p><script>',
      organizationName: evil,
    });
    const email = freshEmail();

    await inviteByMail(mallory, mallory.organizationId, { email, role: 'VIEWER', message: evil });

    const [mail] = await mailsTo(email);
    expect(mail?.html).not.toMatch(/<img|<script|onerror="/);
    expect(mail?.html?.split(escaped)).toHaveLength(4);
    expect(mail?.text).toContain(evil);
  });

  test('cannot put addresses or reordered text into the subject', async () => {
    const evil = 'Eve v@evil.example https://evil.example/x evil2.example \u202egro.elgoog';
    const mallory = await newAccount({
      firstName: evil,
      lastName: 'L'.repeat(100),
      organizationName: evil,
    });
    const email = freshEmail();
    await inviteByMail(mallory, mallory.organizationId, { email, role: 'VIEWER' });

    const [mail] = await mailsTo(email);
    expect(mail?.subject).not.toMatch(/@|:\/\/|\w\.\w|[\u202A-\u202E]/u);
    const [inviter = '', organization = ''] = mail?.subject?.split(' invited you to join ') ?? [];
    expect([...inviter].length).toBeLessThanOrEqual(60);
    expect([...organization].length).toBeLessThanOrEqual(60);
  });

  test("shows links in the inviter's message only if the inviter's address is verified", async () => {
    const other = await newAccount();
    const send = async (inviter: Account) => {
      const email = freshEmail();
      const body = { email, role: 'MEMBER', message: 'See https://example.com/us' };
      await invite(body, inviter, inviter.organizationId);

      return (await mailsTo(email))[0]?.text ?? '';
    };

    expect(await send(ada)).toContain('\n\nSee https://example.com/us\n\n');
    expect(await send(other)).toContain('\n\nSee [link]\n\n');
  });

  test('cannot add headers', async () => {
    const evil = 'Ada\r\nBcc: victim@example.com\n\n\u2028\u0085\u001b[2J';
    const mallory = await newAccount({ firstName: evil, lastName: evil, organizationName: evil });
    const email = freshEmail();

    await inviteByMail(mallory, mallory.organizationId, { email, role: 'VIEWER', message: evil });

    const [mail] = await mailsTo(email);
    expect(mail?.to).toBe(email);
    expect(mail?.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(await sandbox.mails('victim@example.com')).toEqual([]);
  });
});

describe('rate limit', () => {
  test('reports the remaining invitations in each response', async () => {
    process.env.INVITATION_LIMIT_PER_USER = '2';
    const mary = await newAccount();
    const send = () => invite({ email: freshEmail(), role: 'VIEWER' }, mary, mary.organizationId);

    const [first, second, third] = [await send(), await send(), await send()];

    expect([first, second, third].map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(first.headers['ratelimit-policy']).toMatch(
      /^"invitation";q=2;w=3600, .*"invitationAddress";q=3;w=86400, "invitationUnverified";q=20;w=86400$/,
    );
    expect(first.headers.ratelimit).toMatch(/^"invitation";r=1;t=\d+, /);
    expect(third.headers.ratelimit).toMatch(/^"invitation";r=0;t=\d+/);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(third.body).toMatchObject({
      error: 'Too Many Requests',
      message: 'Too many requests, please try again later',
    });
    expect(await invitations(mary.organizationId, mary)).toHaveLength(2);
    process.env.INVITATION_LIMIT_PER_USER = '100000';
  });

  test('allows three invitations a UTC day to one address, from all organizations', async () => {
    const day = Math.ceil(Date.now() / dayMs) * dayMs;
    setClock(() => day + dayMs / 2);
    const [mary, email] = [await newAccount(), freshEmail()];
    const send = (by: Account, to = email) =>
      invite({ email: to, role: 'VIEWER' }, by, by.organizationId);
    const ada2 = await newAccount();
    const statuses = [
      (await send(mary)).status,
      (await send(mary)).status,
      (await send(ada2)).status,
      (await send(ada2, ` ${email.toUpperCase()} `)).status,
    ];

    expect(statuses).toEqual([201, 201, 201, 429]);
    const refused = await send(mary);
    expect(Number(refused.headers['retry-after'])).toBe(dayMs / 2 / 1000);
    expect(await mailsTo(email)).toHaveLength(3);
    setClock(() => day + dayMs);
    expect((await send(await newAccount())).status).toBe(201);
    setClock();
  });

  test('allows an unverified inviter 20 invitations a UTC day over all organizations', async () => {
    const day = Math.ceil(Date.now() / dayMs) * dayMs;
    setClock(() => day);
    const mary = await newAccount();
    const second = await organizationWith(mary);
    const send = (id: string) => invite({ email: freshEmail(), role: 'VIEWER' }, mary, id);
    const statuses = await Promise.all(
      Array.from({ length: 22 }, (_, index) =>
        send(index % 2 === 0 ? mary.organizationId : second).then(({ status }) => status),
      ),
    );

    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    await write(change(keys.user(mary.userId), { set: { emailVerified: true } }));
    expect((await send(second)).status).toBe(201);
    setClock();
  });

  test('does not count an invitation that was rejected', async () => {
    const mary = await newAccount();
    const guest = await newAccount();
    const id = await organizationWith(mary, [[guest, 'VIEWER']]);
    for (let time = 0; time < 4; time += 1) {
      const { status } = await invite({ email: guest.email, role: 'VIEWER' }, mary, id);
      expect(status).toBe(409);
    }

    const { status } = await invite(
      { email: guest.email, role: 'VIEWER' },
      mary,
      mary.organizationId,
    );
    expect(status).toBe(201);
  });
});

describe('access', () => {
  test.each(roles)('lets ADMIN invite as %s, except as OWNER', async (role) => {
    const id = await organizationWith(ada, [[grace, 'ADMIN']]);

    const { status, body } = await invite({ email: freshEmail(), role }, grace, id);

    expect([status, body.message]).toEqual(
      role === 'OWNER' ? [403, ownersOnly] : [201, 'Invitation sent successfully'],
    );
  });

  test('lets OWNER invite as OWNER', async () => {
    expect((await invite({ email: freshEmail(), role: 'OWNER' })).status).toBe(201);
  });

  test.each(['MEMBER', 'VIEWER'] as const)('does not let %s invite by default', async (own) => {
    const id = await organizationWith(ada, [[grace, own]]);
    const email = freshEmail();

    for (const role of roles) {
      const { status, body } = await invite({ email, role }, grace, id);
      expect([status, body.message]).toEqual([403, refusal]);
    }

    expect(await mailsTo(email)).toEqual([]);
  });

  test('lets MEMBER invite as MEMBER or VIEWER when the organization allows it', async () => {
    const id = await organizationWith(ada, [[grace, 'MEMBER']]);
    const allow = (allowMemberInvites: boolean) =>
      call(updateOrganization, {
        params: { organization_id: id },
        body: { settings: { allowMemberInvites } },
        token: ada.token,
      });
    await allow(true);

    const statuses = await Promise.all(
      roles.map(async (role) => (await invite({ email: freshEmail(), role }, grace, id)).status),
    );
    expect(Object.fromEntries(roles.map((role, index) => [role, statuses[index]]))).toEqual({
      OWNER: 403,
      ADMIN: 403,
      MEMBER: 201,
      VIEWER: 201,
    });

    await allow(false);
    const { status, body } = await invite({ email: freshEmail(), role: 'VIEWER' }, grace, id);
    expect([status, body.message]).toEqual([403, refusal]);
  });

  test('does not let VIEWER invite even when members may', async () => {
    const id = await organizationWith(ada, [[grace, 'VIEWER']]);
    await call(updateOrganization, {
      params: { organization_id: id },
      body: { settings: { allowMemberInvites: true } },
      token: ada.token,
    });

    const { status, body } = await invite({ email: freshEmail(), role: 'VIEWER' }, grace, id);

    expect([status, body.message]).toEqual([403, refusal]);
  });
});
