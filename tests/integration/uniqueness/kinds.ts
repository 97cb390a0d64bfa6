import { randomUUID } from 'node:crypto';
import * as ai from '#schemas/ai.ts';
import { signUp, updateMe } from '#schemas/auth.ts';
import { deleteCampaign, matchTypes, updateCampaign } from '#schemas/campaigns.ts';
import { createContentPost, deleteContentPost } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  createContact,
  createLead,
  deleteContact,
  deleteLead,
  updateContact,
} from '#schemas/leads.ts';
import {
  acceptInvitation,
  inviteMember,
  removeMember,
  revokeInvitation,
} from '#schemas/organizations.ts';
import { createSavedReply, deleteSavedReply, updateSavedReply } from '#schemas/saved-replies.ts';
import { createSegment, deleteSegment, updateSegment } from '#schemas/segments.ts';
import { connectSocialAccount, disconnectSocialAccount } from '#schemas/social.ts';
import { connectionBody, newPlatformUserId } from '#scripts/fixtures/social-accounts.ts';
import { keyword, newOffice, newWord, type Office } from '#tests/integration/campaigns/setup.ts';
import { freshEmail, newAccount, signUpBody } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import type { MarkerKind } from '#tests/support/unique-markers.ts';

/** A kind of record with a unique value, and functions that create, change and remove one. */
export type UniqueKind = {
  readonly marker: MarkerKind;
  /** The error message for a value that is taken. */
  readonly taken: string;
  /** Returns an unused value. */
  readonly newValue: () => Promise<string>;
  /** Creates the `nth` record with the value, in a different spelling if possible. */
  readonly create: (value: string, nth: number) => Promise<Answer>;
  readonly idOf: (created: Answer) => string;
  readonly rename?: (id: string, value: string) => Promise<Answer>;
  readonly remove: (id: string) => Promise<Answer>;
};

const inAnyCase = (text: string, nth: number) => (nth % 2 === 0 ? text : ` ${text.toUpperCase()} `);

function userEmails(): UniqueKind {
  const tokens = new Map<string, string>();
  const rename = (id: string, email: string) =>
    call(updateMe, { token: String(tokens.get(id)), body: { email } });

  return {
    marker: 'userEmail',
    taken: 'User with this email already exists',
    newValue: async () => freshEmail(),
    create: async (email, nth) => {
      const answer = await call(signUp, { body: signUpBody({ email: inAnyCase(email, nth) }) });
      if (answer.status === 201) {
        tokens.set(answer.body.user.id, answer.body.authToken);
      }

      return answer;
    },
    idOf: ({ body }) => body.user.id,
    rename,
    remove: (id) => rename(id, freshEmail()),
  };
}

function contactEmails({ ask }: Office): UniqueKind {
  return {
    marker: 'contactEmail',
    taken: 'Contact with this email already exists',
    newValue: async () => freshEmail(),
    create: (email, nth) =>
      ask(createContact, { body: { name: 'Mary Somerville', email: inAnyCase(email, nth) } }),
    idOf: ({ body }) => body.contact.id,
    rename: (id, email) => ask(updateContact, { params: { contact_id: id }, body: { email } }),
    remove: (id) => ask(deleteContact, { params: { contact_id: id } }),
  };
}

/** A contact keeps its placeholder address when it changes to another one. */
function standIns(office: Office): UniqueKind {
  return {
    ...contactEmails(office),
    newValue: async () => `${randomUUID()}@facebook.invalid`,
  };
}

/** A contact's lead in a pipeline. The unique value is the contact. */
function leadsOfContacts({ ask, parts: { pipelineId } }: Office): UniqueKind {
  return {
    marker: 'leadOfContact',
    taken: 'Lead already exists for this contact and pipeline',
    newValue: async () => {
      const body = { name: 'Charles Babbage', email: freshEmail('charles') };

      return (await ask(createContact, { body })).body.contact.id;
    },
    create: (contactId) => ask(createLead, { body: { contactId, pipelineId, source: 'chat' } }),
    idOf: ({ body }) => body.lead.id,
    remove: (id) => ask(deleteLead, { params: { lead_id: id } }),
  };
}

/** Keywords of posts match exactly, apart from white space around them. */
function postKeywords({ ask, account }: Office): UniqueKind {
  const draft = {
    socialAccountId: account.id,
    platform: account.platform,
    content: 'New engines are here',
    draft: true,
  };

  return {
    marker: 'postKeyword',
    taken: 'Content already exists with this keyword',
    newValue: async () => newWord(),
    create: (word, nth) =>
      ask(createContentPost, { body: { ...draft, keyword: nth % 2 === 0 ? word : ` ${word} ` } }),
    idOf: ({ body }) => body.contentPost.id,
    remove: (id) => ask(deleteContentPost, { params: { post_id: id } }),
  };
}

/** Two campaigns may not share a keyword, even with different match types. */
function campaignKeywords({ ask, create }: Office): UniqueKind {
  const keywords = (word: string, nth: number) => [
    keyword(inAnyCase(word, nth), { matchType: matchTypes[nth % matchTypes.length] }),
  ];

  return {
    marker: 'campaignKeyword',
    taken: 'Another campaign already uses a keyword',
    newValue: async () => newWord(),
    create: (word, nth) => create({ name: `Campaign ${nth}`, keywords: keywords(word, nth) }),
    idOf: ({ body }) => body.campaign.id,
    rename: (id, word) =>
      ask(updateCampaign, { params: { campaign_id: id }, body: { keywords: keywords(word, 0) } }),
    remove: (id) => ask(deleteCampaign, { params: { campaign_id: id } }),
  };
}

type NamedContracts = {
  readonly create: Contract;
  readonly update: Contract;
  readonly remove: Contract;
  readonly param: string;
  readonly field: string;
  readonly body: Readonly<Record<string, unknown>>;
};

function names(
  { ask }: Office,
  marker: MarkerKind,
  taken: string,
  { create, update, remove, param, field, body }: NamedContracts,
): UniqueKind {
  return {
    marker,
    taken,
    newValue: async () => randomUUID(),
    create: (name) => ask(create, { body: { ...body, name } }),
    idOf: (answer) => answer.body[field].id,
    rename: (id, name) => ask(update, { params: { [param]: id }, body: { name } }),
    remove: (id) => ask(remove, { params: { [param]: id } }),
  };
}

function allNames(office: Office, promptTemplateId: string): readonly UniqueKind[] {
  const template = {
    taken: 'Template name already exists',
    param: 'template_id',
    body: { templateContent: 'You answer for {{companyName}}.' },
  };

  return [
    names(office, 'agentName', 'Agent name already exists', {
      create: ai.createAgent,
      update: ai.updateAgent,
      remove: ai.deleteAgent,
      param: 'agent_id',
      field: 'aiAgent',
      body: { promptTemplateId, channels: ['COMMENT'] },
    }),
    names(office, 'templateName', template.taken, {
      ...template,
      create: ai.createPromptTemplate,
      update: ai.updatePromptTemplate,
      remove: ai.deletePromptTemplate,
      field: 'promptTemplate',
    }),
    names(office, 'interactiveTemplateName', template.taken, {
      ...template,
      create: ai.createInteractiveTemplate,
      update: ai.updateInteractiveTemplate,
      remove: ai.deleteInteractiveTemplate,
      field: 'interactiveTemplate',
    }),
    names(office, 'savedReplyName', 'Saved reply name already exists', {
      param: 'saved_reply_id',
      body: { text: 'We open at nine.' },
      create: createSavedReply,
      update: updateSavedReply,
      remove: deleteSavedReply,
      field: 'savedReply',
    }),
    names(office, 'segmentName', 'Segment name already exists', {
      param: 'segment_id',
      body: { filter: {} },
      create: createSegment,
      update: updateSegment,
      remove: deleteSegment,
      field: 'segment',
    }),
  ];
}

/** Two organizations connect the same network accounts. */
function socialAccounts(tokens: readonly [string, string]): UniqueKind {
  const bodies = new Map<string, object>();
  const tokenOf = new Map<string, string>();

  return {
    marker: 'socialAccount',
    taken: 'Social account already connected',
    newValue: async () => {
      const platformUserId = newPlatformUserId();
      bodies.set(platformUserId, await connectionBody({ platformUserId }));

      return platformUserId;
    },
    create: async (platformUserId, nth) => {
      const token = nth % 2 === 0 ? tokens[0] : tokens[1];
      const answer = await call(connectSocialAccount, { token, body: bodies.get(platformUserId) });
      if (answer.status === 201) {
        tokenOf.set(answer.body.socialAccount.id, token);
      }

      return answer;
    },
    idOf: ({ body }) => body.socialAccount.id,
    remove: (id) =>
      call(disconnectSocialAccount, { token: String(tokenOf.get(id)), params: { account_id: id } }),
  };
}

/**
 * A user's membership in an organization, after accepting an invitation. The unique value is the
 * user.
 */
function memberships({ ask }: Office): UniqueKind {
  const users = new Map<string, { readonly email: string; readonly token: string }>();
  const links = new Map<string, string>();
  let invitations: Promise<unknown> = Promise.resolve();

  /** Sequential, because reading the queued mails takes the mails of all invitations. */
  function invite(userId: string): Promise<Answer> {
    const { email } = users.get(userId) ?? { email: '' };
    const invited = invitations.then(async () => {
      const answer = await ask(inviteMember, { body: { email, role: 'MEMBER' } });
      if (answer.status === 201) {
        links.set(userId, tokenIn((await mailsTo(email))[0]));
      }

      return answer;
    });
    invitations = invited;

    return invited;
  }

  return {
    marker: 'membership',
    taken: 'Invitation is already accepted',
    newValue: async () => {
      const user = await newAccount();
      users.set(user.userId, user);
      await invite(user.userId);

      return user.userId;
    },
    create: async (userId) => {
      const { token = '' } = users.get(userId) ?? {};
      const refusal = links.has(userId) ? undefined : await invite(userId);
      const link = links.get(userId);
      if (!link) {
        return refusal as Answer;
      }
      const answer = await call(acceptInvitation, { token, body: { token: link } });
      links.delete(userId);

      return { ...answer, body: { ...answer.body, userId } };
    },
    idOf: ({ body }) => body.userId,
    remove: (id) => ask(removeMember, { params: { user_id: id } }),
  };
}

/** A second invitation for an address is not rejected. It replaces the first one. */
function invitations({ ask }: Office): UniqueKind {
  return {
    marker: 'pendingInvitation',
    taken: 'Another request is inviting this email address. Try again',
    newValue: async () => freshEmail('grace'),
    create: (email, nth) =>
      ask(inviteMember, { body: { email: inAnyCase(email, nth), role: 'VIEWER' } }),
    idOf: ({ body }) => body.invitation.id,
    remove: (id) => ask(revokeInvitation, { params: { invitation_id: id } }),
  };
}

/** Returns every kind of record with a unique value. */
export async function uniqueKinds() {
  const [office, other] = await Promise.all([newOffice(), newAccount()]);
  const promptTemplateId = await office.newTemplate();

  return {
    invitations: invitations(office),
    standIns: standIns(office),
    kinds: [
      userEmails(),
      contactEmails(office),
      leadsOfContacts(office),
      postKeywords(office),
      campaignKeywords(office),
      ...allNames(office, promptTemplateId),
      socialAccounts([office.owner.token, other.token]),
      memberships(office),
    ],
  };
}
