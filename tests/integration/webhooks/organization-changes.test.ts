import { expect, it } from 'vitest';
import { createContact, updateContact } from '#lib/features/leads/contacts/contacts.ts';
import { deleteContact } from '#lib/features/leads/contacts/delete-contact.ts';
import { createLeadWithContact } from '#lib/features/leads/create-lead.ts';
import { mergeContacts } from '#lib/features/leads/merge-contacts.ts';
import { deleteLead } from '#lib/features/leads/remove-lead.ts';
import { updateLead } from '#lib/features/leads/update-lead.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { createContentPost, updateContentPost } from '#schemas/content.ts';
import { closeConversation } from '#schemas/conversations.ts';
import { createPipeline } from '#schemas/leads.ts';
import {
  acceptInvitation,
  inviteMember,
  leaveOrganization,
  removeMember,
} from '#schemas/organizations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { freshEmail, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';

it('webhooks report changes of leads and contacts that people created', async () => {
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
    noExtraWrites,
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

it('webhooks report an account that lost its access, without its tokens', async () => {
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

it('webhooks report members who join, are removed, and leave', async () => {
  const [owner, guest] = [await newAccount(), await newAccount()];
  const { organizationId, token } = owner;
  const params = { organization_id: organizationId };
  const { receiver } = await storeWebhook(organizationId);
  const left = await newMember(owner, 'VIEWER');
  await call(inviteMember, { params, token, body: { email: guest.email, role: 'MEMBER' } });
  const invitation = tokenIn((await mailsTo(guest.email)).at(-1));
  await call(acceptInvitation, { token: guest.token, body: { token: invitation } });
  await drainWork();
  const joined = await receivedEvents(receiver);
  await call(removeMember, { params: { ...params, user_id: guest.userId }, token });
  await call(leaveOrganization, { params, token: left.token });
  await drainWork();

  const events = await receivedEvents(receiver);
  const dataOf = ({ userId: id, email }: typeof guest, role: string) => ({
    organizationId,
    memberId: id,
    member: { id, email, role, status: 'active' },
  });
  const memberOf = (id: string) =>
    events.find(({ type, data }) => type === 'member.removed' && data.memberId === id)?.data;
  expect(joined).toMatchObject([{ type: 'member.joined', data: dataOf(guest, 'MEMBER') }]);
  expect(events).toHaveLength(3);
  expect(memberOf(guest.userId)).toMatchObject(dataOf(guest, 'MEMBER'));
  expect(memberOf(left.userId)).toMatchObject(dataOf(left, 'VIEWER'));
  expect(JSON.stringify(events)).not.toContain('passwordHash');
});

it('webhooks report a post that is scheduled, and its new time', async () => {
  const { organizationId, token } = await newAccount();
  const { receiver } = await storeWebhook(organizationId);
  const { id: socialAccountId, platform } = await storeSocialAccount(organizationId);
  const [first, second] = [timestamp(hourMs), timestamp(2 * hourMs)];
  const params = { organization_id: organizationId };
  const body = { socialAccountId, platform, content: 'New engines', scheduledAt: first };
  const created = await call(createContentPost, { params, token, body });
  const post = created.body.contentPost;
  const ofPost = { params: { ...params, post_id: post.id }, token };
  await call(updateContentPost, { ...ofPost, body: { scheduledAt: second } });
  await call(updateContentPost, { ...ofPost, body: { tags: ['engines'] } });
  await drainWork();

  const events = await receivedEvents(receiver);
  expect(events.map(({ type }) => type)).toEqual(['content.scheduled', 'content.scheduled']);
  expect(events.map(({ data }) => data.contentPost)).toEqual(
    expect.arrayContaining([post, expect.objectContaining({ scheduledAt: second })]),
  );
});

it('webhooks report a conversation that is closed, once', async () => {
  const { organizationId, token } = await newAccount();
  const { receiver } = await storeWebhook(organizationId);
  const { id } = await storeConversation(organizationId);
  const params = { organization_id: organizationId, conversation_id: id };
  await call(closeConversation, { params, token });
  await call(closeConversation, { params, token });
  await drainWork();

  expect(await receivedEvents(receiver)).toMatchObject([
    {
      type: 'conversation.closed',
      data: { organizationId, conversationId: id, conversation: { id, status: 'CLOSED' } },
    },
  ]);
});

it('webhooks report both contacts of a merge', async () => {
  const { organizationId } = await newAccount();
  const [contact, duplicate] = await Promise.all(
    ['charles', 'babbage'].map((name) =>
      createContact(
        organizationId,
        { name: 'Charles Babbage', email: freshEmail(name), company: name },
        noExtraWrites,
      ),
    ),
  );
  const { receiver } = await storeWebhook(organizationId);
  await mergeContacts(organizationId, String(contact?.id), String(duplicate?.id), noExtraWrites);
  await drainWork();

  const events = await receivedEvents(receiver);
  expect(events.map(({ type, data }) => [type, data.contactId]).toSorted()).toEqual([
    ['contact.deleted', duplicate?.id],
    ['contact.updated', contact?.id],
  ]);
});
