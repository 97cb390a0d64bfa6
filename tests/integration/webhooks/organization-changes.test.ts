import { expect, it } from 'vitest';
import { deleteContact, updateContact } from '#lib/features/leads/contacts/contacts.ts';
import { createLeadWithContact, deleteLead, updateLead } from '#lib/features/leads/leads.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { createPipeline } from '#schemas/leads.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storeWebhook } from '#tests/support/organization-webhooks.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { drainWork } from '#tests/support/work.ts';

it('reports what happens to leads and contacts that were made by hand', async () => {
  const { organizationId, token, userId } = await newAccount();
  const { receiver } = await storeWebhook(organizationId);
  const { body } = await call(createPipeline, {
    params: { organization_id: organizationId },
    token,
    body: { name: 'Sales', stages: [{ name: 'New', order: 1 }] },
  });
  const { lead, contact } = await createLeadWithContact(
    organizationId,
    { name: 'Charles Babbage', email: 'charles@example.com' },
    { pipelineId: body.pipeline.id, source: 'manual' },
    nothingElse,
  );
  await updateLead(organizationId, lead.id, { status: 'CONVERTED' }, userId);
  await updateContact(organizationId, contact.id, { company: 'Engines' });
  await deleteLead(organizationId, lead.id);
  await deleteContact(organizationId, contact.id);
  await drainWork();

  const events = await receivedEvents(receiver);
  const ofLead = { organizationId, leadId: lead.id, campaignId: null };
  const ofContact = { organizationId, contactId: contact.id };
  const expected = [
    { type: 'contact.created', data: { ...ofContact, contact: { name: 'Charles Babbage' } } },
    { type: 'lead.created', data: { ...ofLead, contact: { id: contact.id } } },
    { type: 'lead.updated', data: { ...ofLead, lead: { status: 'CONVERTED' } } },
    { type: 'lead.converted', data: ofLead },
    { type: 'contact.updated', data: { ...ofContact, contact: { company: 'Engines' } } },
    { type: 'lead.deleted', data: ofLead },
    { type: 'contact.deleted', data: ofContact },
  ];
  expect(events).toHaveLength(expected.length);
  for (const { type, data } of expected) {
    expect(events.find((event) => event.type === type)?.data).toMatchObject(data);
  }
});

it('reports an account that lost its access, without its tokens', async () => {
  const { organizationId } = await newAccount();
  const { receiver } = await storeWebhook(organizationId, { events: ['account.inactive'] });
  const account = await storeSocialAccount(organizationId, { platformUserName: 'Engines' });
  const reason = 'The token was revoked';
  await deactivateAccount(account, reason);
  await drainWork();

  const events = await receivedEvents(receiver);
  expect(events).toMatchObject([
    {
      data: {
        socialAccountId: account.id,
        socialAccount: { isActive: false, inactiveReason: reason },
      },
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/accessToken|refreshToken/);
});
