import { afterEach, describe, expect, test } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { forgotPassword, getMe, listConsents, resetPassword } from '#schemas/auth.ts';
import { submitSignInLink, updatePlatformOrganization } from '#schemas/operators.ts';
import {
  getOrganization,
  listAuditLog,
  listMembers,
  listOrganizations,
} from '#schemas/organizations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { newLink, onboard, operate } from './setup.ts';

afterEach(() => setClock());

type Params = { readonly organization_id: string };

async function open(token: string) {
  const answer = await call(submitSignInLink, { params: { token } });
  const [, session] = /__Host-auth_token=([^;]+)/.exec(answer.cookies.join('; ')) ?? [];

  return { ...answer, session: session ?? '' };
}

async function enter(params: Params, body: object) {
  return open(await newLink(params, body));
}

async function membersOf(params: Params, token: string) {
  return (await call(listMembers, { params, token })).body.members;
}

describe('signing in by a link', () => {
  test('creates a person without a password, who joins and is redirected to the path', async () => {
    const { organizationId, token } = await newAccount();
    const params = { organization_id: organizationId };
    const { receiver } = await storeWebhook(organizationId);
    const email = freshEmail();
    const entered = await enter(params, { email, role: 'OWNER', path: '/inbox?unanswered=true' });
    const me = await call(getMe, { token: entered.session });
    const audit = await call(listAuditLog, { params, token });
    await drainWork();

    expect([entered.status, entered.headers.location]).toEqual([
      302,
      'http://localhost:3000/app/inbox?unanswered=true',
    ]);
    expect(me.body).toMatchObject({
      user: {
        email,
        firstName: 'Ada',
        emailVerified: false,
        authProvider: 'LOCAL',
        currentOrganization: { id: organizationId, role: 'OWNER' },
      },
    });
    expect(audit.body.entries.slice(0, 2)).toMatchObject([
      { action: 'member.joined', actorId: me.body.user.id, actorOperatorKeyId: 'local' },
      { action: 'sign_in_link.created', actorId: null, actorOperatorKeyId: 'local' },
    ]);
    expect(await receivedEvents(receiver)).toMatchObject([
      { type: 'member.joined', data: { memberId: me.body.user.id } },
    ]);
    expect((await call(listConsents, { token: entered.session })).body.consents).toHaveLength(1);
    expect((await call(getOrganization, { params, token: entered.session })).status).toBe(200);
  });

  test('keeps the role of a member', async () => {
    const { params, key } = await onboard();
    const email = freshEmail();
    await enter(params, { email, role: 'VIEWER' });
    const again = await enter(params, { email, role: 'OWNER' });

    expect(again.status).toBe(302);
    expect(await membersOf(params, key)).toMatchObject([{ email, role: 'VIEWER' }]);
  });

  test('lets a person from another organization join, also as an owner', async () => {
    const [one, other] = [await onboard(), await onboard()];
    const email = freshEmail();
    await enter(one.params, { email, role: 'VIEWER' });
    const { session } = await enter(other.params, { email, role: 'OWNER' });

    expect((await call(listOrganizations, { token: session })).body.total).toBe(2);
    expect(await membersOf(other.params, other.key)).toMatchObject([{ email, role: 'OWNER' }]);
  });

  test('works once with 20 concurrent requests', async () => {
    const { params, key } = await onboard();
    const token = await newLink(params);
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(token)));

    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
    expect(await membersOf(params, key)).toHaveLength(1);
  });

  test('creates one person with several concurrent links', async () => {
    const [one, other] = [await onboard(), await onboard()];
    const email = freshEmail();
    const tokens = [
      await newLink(one.params, { email }),
      await newLink(one.params, { email }),
      await newLink(other.params, { email }),
    ];
    const answers = await Promise.all(tokens.map(open));

    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(await membersOf(one.params, one.key)).toHaveLength(1);
    expect(await membersOf(other.params, other.key)).toHaveLength(1);
  });

  test('expires after five minutes', async () => {
    const { params } = await onboard();
    const token = await newLink(params);
    setClock(() => Date.now() + 5 * minuteMs + 1_000);

    expect((await open(token)).status).toBe(404);
  });

  test('opens nothing for a person who sets a password concurrently', async () => {
    const { params } = await onboard();
    const email = freshEmail();
    await enter(params, { email });
    const token = await newLink(params, { email });
    await call(forgotPassword, { body: { email } });
    await drainWork();
    const reset = { token: tokenIn((await mailsTo(email))[0]), newPassword: password };
    const { answer, other } = await overtake({ begin: () => open(token) }, () =>
      call(resetPassword, { body: reset }),
    );

    expect([other.status, answer.status, answer.session]).toEqual([200, 409, '']);
  });

  test('opens nothing while the organization is suspended', async () => {
    const { params } = await onboard();
    const token = await newLink(params);
    const body = { suspended: true, reason: 'Unpaid' };
    await operate(updatePlatformOrganization, { params, body });

    expect((await open(token)).status).toBe(403);
    await operate(updatePlatformOrganization, { params, body: { suspended: false } });
    expect((await open(token)).status).toBe(302);
  });
});
