import { describe, expect, it } from 'vitest';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import {
  listOrganizationWebhooks,
  updateOrganizationWebhook,
} from '#schemas/organization-webhooks.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { requestsOf, storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';

const exhausted = { type: 'credits.exhausted', data: { campaignId: null, credits: 0 } } as const;

async function emit(organizationId: string) {
  const writes = await planOrganizationEvent(organizationId, exhausted);
  await write(...writes);

  return writes;
}

async function webhookOf(owner: { readonly organizationId: string; readonly token: string }) {
  const params = { organization_id: owner.organizationId };
  const { body } = await call(listOrganizationWebhooks, { params, token: owner.token });

  return body.webhooks[0];
}

describe('an event of an organization', () => {
  it('is delivered once to each webhook that is subscribed to it, with a different id for each', async () => {
    const { organizationId } = await newAccount();
    const all = await storeWebhook(organizationId);
    const chosen = await storeWebhook(organizationId, { events: ['credits.exhausted'] });
    const other = await storeWebhook(organizationId, { events: ['lead.created'] });

    expect(await emit(organizationId)).toHaveLength(1);
    await drainWork();

    expect(await receivedEvents(all.receiver)).toMatchObject([
      { type: 'credits.exhausted', data: { organizationId, campaignId: null, credits: 0 } },
    ]);
    const requests = [...(await requestsOf(all.receiver)), ...(await requestsOf(chosen.receiver))];
    const ids = requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    expect(ids).toHaveLength(2);
    expect(await requestsOf(other.receiver)).toEqual([]);
  });

  it('writes nothing without a webhook, and while all are switched off', async () => {
    const { organizationId, token } = await newAccount();
    expect(await emit(organizationId)).toEqual([]);
    const { id } = await storeWebhook(organizationId);
    const params = { organization_id: organizationId, webhook_id: id };
    await call(updateOrganizationWebhook, { params, token, body: { isActive: false } });

    expect(await emit(organizationId)).toEqual([]);

    await call(updateOrganizationWebhook, { params, token, body: { isActive: true } });
    expect(await emit(organizationId)).toHaveLength(1);
  });
});

describe('a failing webhook', () => {
  it('is switched off after 410, and its owners and admins are notified', async () => {
    const owner = await newAccount();
    const admin = await newMember(owner, 'ADMIN');
    const member = await newMember(owner, 'MEMBER');
    const { receiver, id } = await storeWebhook(owner.organizationId);
    await sandbox.addFault({ service: 'hooks', path: receiver, mode: 'error', status: 410 });
    await emit(owner.organizationId);
    await drainWork();
    await runDueWork();
    await drainWork();

    expect(await webhookOf(owner)).toMatchObject({
      isActive: false,
      disabledReason: 'The endpoint returned 410 Gone',
    });
    for (const { email } of [owner, admin]) {
      expect(JSON.stringify(await mailsTo(email))).toContain('Webhook switched off');
    }
    expect(JSON.stringify(await mailsTo(member.email))).not.toContain('Webhook switched off');
    const params = { organization_id: owner.organizationId };
    const { entries } = (await call(listAuditLog, { params, token: owner.token })).body;
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'webhook.disabled', actorId: null, targetId: id }),
    );
    expect(await emit(owner.organizationId)).toEqual([]);
  });

  it('is switched off when everything has failed for three days, and can be switched on', async () => {
    const owner = await newAccount();
    const { receiver, id } = await storeWebhook(owner.organizationId);
    await sandbox.addFault({ service: 'hooks', path: receiver, mode: 'error', status: 500 });
    await emit(owner.organizationId);
    await drainWork();
    setClock(() => Date.now() + 3 * dayMs - minuteMs);
    await emit(owner.organizationId);
    await drainWork();
    expect(await webhookOf(owner)).toMatchObject({ isActive: true });
    setClock(() => Date.now() + 3 * dayMs + minuteMs);
    await emit(owner.organizationId);
    await drainWork();

    expect(await webhookOf(owner)).toMatchObject({
      isActive: false,
      disabledReason: 'All deliveries failed for three days',
    });
    const params = { organization_id: owner.organizationId, webhook_id: id };
    const { body } = await call(updateOrganizationWebhook, {
      params,
      token: owner.token,
      body: { isActive: true },
    });
    expect(body.webhook).toMatchObject({ isActive: true, disabledReason: null });
    await emit(owner.organizationId);
    await drainWork();
    expect(await webhookOf(owner)).toMatchObject({ isActive: true });
  });

  it('counts failures from the beginning after a success', async () => {
    const owner = await newAccount();
    const { receiver } = await storeWebhook(owner.organizationId);
    await sandbox.addFault({ service: 'hooks', path: receiver, mode: 'error', status: 500 });
    await emit(owner.organizationId);
    await drainWork();
    await sandbox.clearFaults();
    await emit(owner.organizationId);
    await drainWork();
    await sandbox.addFault({ service: 'hooks', path: receiver, mode: 'error', status: 500 });
    setClock(() => Date.now() + 4 * dayMs);
    await emit(owner.organizationId);
    await drainWork();

    expect(await webhookOf(owner)).toMatchObject({ isActive: true });
  });
});
