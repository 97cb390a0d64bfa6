import { afterEach, describe, expect, test } from 'vitest';
import { handler as commentsPoll } from '#functions/jobs/comments-poll.ts';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { handler as metricsSnapshot } from '#functions/jobs/metrics-snapshot.ts';
import { handler as postsImport } from '#functions/jobs/posts-import.ts';
import { planCommentsPoll } from '#lib/features/social/connection/comments-poll.ts';
import { planImports } from '#lib/features/social/metrics/import-schedule.ts';
import { planSnapshots } from '#lib/features/social/metrics/snapshot-schedule.ts';
import { hourMs, minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { checkLiveConnections } from '#lib/platform/live/check-connections.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { getMe, logIn } from '#schemas/auth.ts';
import { getBalance } from '#schemas/billing.ts';
import { followBioLink, getBioPage } from '#schemas/bio.ts';
import { createConnectLink, openConnectLink } from '#schemas/connect-links.ts';
import { getCalendarFeed, renewCalendarFeed } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import { getFormPage } from '#schemas/forms.ts';
import { endpoints } from '#schemas/index.ts';
import { listPlatformOrganizations, updatePlatformOrganization } from '#schemas/operators.ts';
import {
  acceptInvitation,
  deleteOrganization,
  getOrganization,
  inviteMember,
  listAuditLog,
  listOrganizations,
  lookUpInvitation,
} from '#schemas/organizations.ts';
import { newLink } from '#scripts/fixtures/bio-fixtures.ts';
import { unknownParams } from '#scripts/fixtures/fixtures.ts';
import { newForm } from '#scripts/fixtures/lead-fixtures.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { newKey, type World } from '#scripts/fixtures/world.ts';
import { freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { balanceOf, runRefillJob } from '#tests/support/billing.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { isClosed, openConnection } from '#tests/support/live.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { organizationHeader } from '#tests/support/registry/access.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { drainWork } from '#tests/support/work.ts';
import { autoRefillSetup } from '../billing/setup.ts';
import { contentSetup } from '../content/setup.ts';
import { digestsTo, sendDigests } from '../replies/digests.ts';
import { newCustomer, replySetup } from '../replies/setup.ts';
import { onboard, operate } from './setup.ts';

afterEach(() => setClock());

async function change(organizationId: string, suspended: boolean) {
  const params = { organization_id: organizationId };
  const body = suspended ? { suspended, reason: 'Unpaid' } : { suspended };
  const answer = await operate(updatePlatformOrganization, { params, body });
  await drainWork('organization-suspension');

  return answer;
}

const suspend = (organizationId: string) => change(organizationId, true);
const resume = (organizationId: string) => change(organizationId, false);

const suspended = { status: 403, body: { code: 'ORGANIZATION_SUSPENDED' } };

describe('suspending an organization', () => {
  test('shows time and reason, keeps the time of the first one, and requires a reason', async () => {
    const { organizationId, params } = await onboard();
    const first = await suspend(organizationId);
    const second = await suspend(organizationId);
    const listed = await operate(listPlatformOrganizations, { query: { suspended: 'true' } });
    const resumed = await resume(organizationId);

    expect(first.body.organization).toMatchObject({
      suspendedAt: expect.any(String),
      suspensionReason: 'Unpaid',
    });
    expect(second.body.organization).toEqual(first.body.organization);
    expect(listed.body.organizations).toEqual([first.body.organization]);
    expect(listed.body.pagination.total).toBe(1);
    expect(resumed.body.organization).toMatchObject({ suspendedAt: null, suspensionReason: null });
    const without = await operate(updatePlatformOrganization, {
      params,
      body: { suspended: true },
    });
    expect(without.body.message).toEqual(['reason is required']);
  });

  test('is in the audit log', async () => {
    const { organizationId, key, params } = await onboard();
    await suspend(organizationId);
    await resume(organizationId);
    const { body } = await call(listAuditLog, { params, token: key });

    expect(body.entries.slice(0, 2)).toMatchObject([
      { action: 'organization.resumed', actorOperatorKeyId: 'local' },
      { action: 'organization.suspended', details: { reason: 'Unpaid' } },
    ]);
  });

  test('filters the list by false, too', async () => {
    const { organizationId } = await onboard();
    await suspend(organizationId);
    const { body } = await operate(listPlatformOrganizations, {
      query: { suspended: 'false', limit: '100' },
    });

    expect(JSON.stringify(body.organizations)).not.toContain(organizationId);
  });
});

describe('a session or key of a suspended organization', () => {
  test('gets 403 from every endpoint except the deletion', async () => {
    liftRateLimits();
    const world = await newWorld();
    const { key } = await newKey(world, 'ADMIN');
    await suspend(world.organizationId);
    const tried = endpoints.filter(
      ({ access }) => access.kind === 'member' && !access.whileSuspended,
    );
    const answers = [];
    for (const contract of tried) {
      answers.push(...(await askAll(contract, world, [world.people.OWNER.token, key])));
    }

    expect(tried.length).toBeGreaterThan(200);
    expect(answers.filter((code) => code !== 'ORGANIZATION_SUSPENDED')).toEqual([]);
  });

  test('can list its organizations, sign in, and delete the organization', async () => {
    const { organizationId, token, email } = await newAccount();
    const params = { organization_id: organizationId };
    await suspend(organizationId);

    expect((await call(listOrganizations, { token })).body.total).toBe(1);
    expect((await call(getMe, { token })).status).toBe(200);
    expect((await call(logIn, { body: { email, password } })).status).toBe(200);
    expect((await call(deleteOrganization, { params, token })).status).toBe(200);
  });

  test('works again after the suspension, whatever the order of the changes', async () => {
    const { organizationId, token } = await newAccount();
    const params = { organization_id: organizationId };
    const body = { suspended: true, reason: 'Unpaid' };
    await operate(updatePlatformOrganization, { params, body });
    await operate(updatePlatformOrganization, { params, body: { suspended: false } });
    await drainWork('organization-suspension');

    expect((await call(getOrganization, { params, token })).status).toBe(200);
    expect((await call(getBalance, { token })).status).toBe(200);
    await suspend(organizationId);
    expect(await call(getBalance, { token })).toMatchObject(suspended);
    await resume(organizationId);
    expect((await call(getBalance, { token })).status).toBe(200);
  });
});

async function askAll(contract: Contract, world: World, tokens: readonly string[]) {
  const answers = await Promise.all(
    tokens.map((token) =>
      probe(contract, {
        params: unknownParams(contract, world),
        headers: organizationHeader(contract, world),
        token,
      }),
    ),
  );

  // For keys, the check for people comes first.
  return answers.map(({ body }) => body.code).filter((code) => code !== 'PERSON_REQUIRED');
}

describe('joining a suspended organization', () => {
  test('is rejected for an invitation, which can still be looked up', async () => {
    const owner = await newAccount();
    const params = { organization_id: owner.organizationId };
    const email = freshEmail();
    await call(inviteMember, { params, token: owner.token, body: { email, role: 'MEMBER' } });
    await drainWork();
    const token = tokenIn((await mailsTo(email))[0]);
    await suspend(owner.organizationId);
    const body = { token, firstName: 'Ada', lastName: 'King', password };

    expect((await call(lookUpInvitation, { body: { token } })).status).toBe(200);
    expect(await call(acceptInvitation, { body })).toMatchObject(suspended);
  });

  test('is rejected for an API key that is created concurrently', async () => {
    const world = await newWorld();
    const params = { organization_id: world.organizationId };
    const body = { suspended: true, reason: 'Unpaid' };
    await operate(updatePlatformOrganization, { params, body });

    await expect(newKey(world, 'ADMIN')).rejects.toMatchObject({ code: 'ORGANIZATION_SUSPENDED' });
  });
});

describe('a suspended organization', () => {
  test("stores customers' messages, does not answer them, and notifies members after the suspension", async () => {
    const owner = await newAccount();
    const { organizationId } = owner;
    const world = replySetup(owner);
    const account = await world.account();
    await world.agent();
    await suspend(organizationId);
    await world.say(account, { type: 'message', from: newCustomer(), text: 'How much is it?' });
    await world.workOff();
    await drainWork();
    await sendDigests();
    const whileSuspended = [await world.replies(account), await digestsTo(owner.email)];
    await resume(organizationId);
    const [conversation] = await world.conversations(account);
    await sendDigests(10);

    expect(whileSuspended).toEqual([[], []]);
    expect(conversation).toMatchObject({ unansweredReason: 'PAUSED' });
    expect(await digestsTo(owner.email)).toHaveLength(1);
    expect(await world.replies(account)).toEqual([]);
  });

  test('mails nobody about a message that goes to people until its end', async () => {
    const owner = await newAccount();
    const world = replySetup(owner);
    const account = await world.account();
    await suspend(owner.organizationId);
    await world.say(account, {
      type: 'message',
      from: newCustomer(),
      text: '',
      attachments: [{ kind: 'image' }],
    });
    await world.workOff();
    await drainWork();
    const whileSuspended = await mailsTo(owner.email);
    await resume(owner.organizationId);
    await sendDigests(10);

    expect(whileSuspended).toEqual([]);
    expect(await world.conversations(account)).toMatchObject([{ unansweredReason: 'NO_TEXT' }]);
    expect(await digestsTo(owner.email)).toHaveLength(1);
  });

  test('sends no webhooks before its end', async () => {
    const { organizationId } = await newAccount();
    const { receiver } = await storeWebhook(organizationId);
    await suspend(organizationId);
    const event = { type: 'credits.exhausted', data: { campaignId: null, credits: 0 } } as const;
    await write(...(await planOrganizationEvent(organizationId, event)));
    await runDueWork();
    expect(await receivedEvents(receiver)).toEqual([]);
    await resume(organizationId);
    await runDueWork();

    expect(await receivedEvents(receiver)).toHaveLength(1);
  });

  test('publishes scheduled posts after its end, unless they are a day late', async () => {
    const world = await contentSetup();
    const { organizationId } = world;
    const scheduledAt = timestamp(hourMs);
    const [soon, late] = [
      await world.newPost({ scheduledAt }),
      await world.newPost({ scheduledAt: timestamp(2 * hourMs) }),
    ];
    const tickAt = async (ms: number) => {
      const at = Date.now() + ms;
      setClock(() => at);
      await contentPublish();
      await drainWork('content-publishing');
    };
    await suspend(organizationId);
    await tickAt(hourMs + minuteMs);
    expect((await world.published()).length).toBe(0);
    setClock();
    await resume(organizationId);
    await tickAt(hourMs + 10 * minuteMs);
    await suspend(organizationId);
    await tickAt(2 * hourMs + minuteMs);
    await tickAt(27 * hourMs);
    setClock();
    await resume(organizationId);
    await tickAt(27 * hourMs + 10 * minuteMs);
    setClock();

    expect(await world.readPost(soon.id)).toMatchObject({ status: 'PUBLISHED' });
    expect(await world.readPost(late.id)).toMatchObject({ status: 'FAILED' });
  });

  test('makes no network calls for metrics, imports or polls', async () => {
    const { organizationId, account, newPost } = await contentSetup();
    await newPost();
    const polled = await connectedAccount(organizationId, { platform: 'YOUTUBE' });
    await write(...planSnapshots(account), ...planImports(account), ...planCommentsPoll(polled));
    await suspend(organizationId);
    const calls = async () => {
      const ids = [account, polled].map(({ platformUserId }) => platformUserId);

      return Promise.all(
        ids.map(async (contains) => (await sandbox.requests({ contains })).length),
      );
    };
    const before = await calls();
    for (const job of [metricsSnapshot, postsImport, commentsPoll]) {
      await job(undefined, lambdaContext(300_000));
    }
    await drainWork();

    expect(await calls()).toEqual(before);
  });

  test('buys no credits automatically', async () => {
    const { organizationId, updateAutoRefillSettings } = await autoRefillSetup();
    await updateAutoRefillSettings({ threshold: 101 });
    await suspend(organizationId);
    await runRefillJob();

    expect((await balanceOf(organizationId)).credits).toBe(100);
  });

  test('has no public pages', async () => {
    const world = await newWorld();
    const params = { organization_id: world.organizationId };
    const { token } = world.people.OWNER;
    const link = await newLink(world);
    const form = await newForm(world);
    const { connectLink } = (
      await call(createConnectLink, {
        token,
        headers: organizationHeader(createConnectLink, world),
        body: { platform: 'FACEBOOK' },
      })
    ).body;
    const { calendar } = (await call(renewCalendarFeed, { params, token, body: {} })).body;
    const query = { token: new URL(calendar.url).searchParams.get('token') ?? '' };
    const pages = async () => [
      (await call(getCalendarFeed, { params, query })).status,
      (await call(openConnectLink, { params: { token: connectLink.url.split('/').at(-1) } }))
        .status,
      (await call(getBioPage, { params })).status,
      (await call(followBioLink, { params: { code: link.shortCode } })).status,
      (await call(getFormPage, { params: { code: form.code } })).status,
    ];
    const before = await pages();
    await suspend(world.organizationId);

    expect(before).toEqual([200, 200, 200, 302, 200]);
    expect(await pages()).toEqual([404, 404, 404, 404, 404]);
    await resume(world.organizationId);
    expect(await pages()).toEqual(before);
  });

  test('loses its live connections with the next check, including those of API keys', async () => {
    const world = await newWorld();
    const { organizationId, people } = world;
    const { key } = await newKey(world, 'ADMIN');
    const ids = [
      await openConnection({ organizationId, token: people.OWNER.token }),
      await openConnection({ organizationId, token: key }),
    ];
    await checkLiveConnections(organizationId);
    expect(await Promise.all(ids.map(isClosed))).toEqual([false, false]);
    await suspend(organizationId);
    await checkLiveConnections(organizationId);

    expect(await Promise.all(ids.map(isClosed))).toEqual([true, true]);
  });
});
