import { apiKeyId } from './api-keys.ts';
import {
  email,
  id,
  maxLength,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  role,
  text,
  timestamp,
  timezone,
  total,
  webUrl,
} from './common.ts';
import { defaultOptInWords, defaultOptOutMessage, defaultOptOutWords } from './consent-words.ts';
import {
  contract,
  fullProcessorMb,
  memberOfPath,
  type OwnRefusal,
  openToAll,
  orAnonymous,
  peopleOnly,
  signedIn,
  signedInPerson,
} from './contract.ts';
import {
  authToken,
  firstName,
  idToken,
  lastName,
  newPassword,
  newUser,
  userSummary,
} from './new-user.ts';
import { organizationWebhook } from './organization-webhooks.ts';
import * as z from './zod.ts';

export const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const userId = id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f');
const invitationId = id('0192f0c1-7b5e-7d44-bf77-8091a2b3c4d5');

export const organizationName = name({ min: 2, example: 'Analytical Engines' });
const description = text({
  max: maxLength.description,
  example: 'Steam-powered calculating engines',
});
const website = webUrl;
const industry = name({ example: 'Manufacturing' });
const size = name({ max: 50, example: '11-50' });

const shownTimezone = z.string().default('UTC').meta({
  example: 'Europe/Berlin',
  description: 'Decides the days and hours of analytics. Past days are not recalculated',
});

const retentionDays = z.int().min(30).max(3_650).meta({
  example: 365,
  description: 'Messages and their files are removed after this many days. Null keeps them.',
});

const switches = {
  allowMemberInvites: z.boolean().meta({ example: false }),
  requireApprovalForJoins: z.boolean().meta({ example: false }),
  defaultRole: role,
};

const settings = z
  .object({
    ...switches,
    optOutWords: z
      .array(z.string())
      .default([...defaultOptOutWords])
      .meta({
        example: ['STOP'],
        description:
          'A private message that is one of these ends all automatic answers to its sender',
      }),
    optInWords: z
      .array(z.string())
      .default([...defaultOptInWords])
      .meta({
        example: ['START'],
        description: 'End an opt-out. START and UNSTOP always do this',
      }),
    optOutMessage: z.string().default(defaultOptOutMessage).meta({
      example: defaultOptOutMessage,
      description: 'Confirms an opt-out',
    }),
    aiDisclosure: orNull(z.string()).meta({
      example: 'This answer was written by an AI.',
      description: "Ends the agent's first answer in each conversation",
    }),
    retentionDays: orNull(retentionDays),
  })
  .meta({ id: 'OrganizationSettings' });

const consentWord = name({ max: 50, example: 'STOP' }).refine(
  (word) => /[^\p{P}\p{Z}\p{C}\s]/u.test(word),
  { error: 'must not be punctuation alone' },
);
const consentWords = z.array(consentWord).min(1).max(50);

const settingsPatch = z
  .object({
    ...switches,
    optOutWords: consentWords,
    optInWords: consentWords,
    optOutMessage: name({ max: 500, example: defaultOptOutMessage }),
    aiDisclosure: name({ max: 200, example: 'This answer was written by an AI.' }).nullable(),
    retentionDays: retentionDays.nullable(),
  })
  .partial();

const organization = z.object({
  id: organizationId,
  name: organizationName,
  description: orNull(description),
  website: orNull(website),
  industry: orNull(industry),
  size: orNull(size),
  timezone: shownTimezone,
  createdAt: timestamp(),
  updatedAt: timestamp(),
  memberCount: z.int().min(0).meta({ example: 1 }),
  role,
});

export const member = z
  .object({
    id: userId,
    email,
    firstName: z.string().meta({ example: 'Ada' }),
    lastName: z.string().meta({ example: 'Lovelace' }),
    avatar: orNull(z.string().meta({ example: null })),
    role,
    joinedAt: timestamp(),
    lastActiveAt: orNull(timestamp()),
    status: z.enum(['active']).meta({ example: 'active' }),
  })
  .meta({ id: 'Member' });

const invitation = z
  .object({
    id: invitationId,
    email,
    role,
    invitedBy: userId,
    invitedAt: timestamp(),
    status: z
      .enum(['pending', 'accepted', 'declined', 'revoked', 'expired'])
      .meta({ example: 'pending' }),
    expiresAt: timestamp('2026-01-22T09:30:00.000Z'),
  })
  .meta({ id: 'Invitation' });

const invitationToken = text({ min: 1, max: maxLength.token, example: 'q1w2e3r4t5y6u7i8o9p0' });

export const createOrganization = contract({
  operationId: 'createOrganization',
  method: 'POST',
  path: '/organizations',
  specified: true,
  summary: 'Create an organization',
  description: 'The caller becomes the OWNER.',
  access: signedInPerson,
  body: z.object({
    name: organizationName,
    description: optional(description),
    website: optional(website),
    industry: optional(industry),
    size: optional(size),
    timezone: timezone.optional().meta({ example: 'Europe/Berlin', description: 'Default: UTC' }),
  }),
  status: 201,
  response: z.object({ organization }),
  message: 'Organization created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const listOrganizations = contract({
  operationId: 'listOrganizations',
  path: '/organizations',
  specified: true,
  summary: "List the signed-in user's organizations",
  tool: true,
  access: signedIn,
  response: z.object({
    organizations: z.array(
      organization.pick({
        id: true,
        name: true,
        description: true,
        website: true,
        createdAt: true,
        memberCount: true,
        role: true,
      }),
    ),
    total,
  }),
  message: 'Organizations retrieved successfully',
});

export const getOrganization = contract({
  operationId: 'getOrganization',
  path: '/organizations/{organization_id}',
  specified: true,
  summary: 'Get an organization',
  access: memberOfPath('VIEWER'),
  response: z.object({ organization: organization.extend({ settings }) }),
  message: 'Organization retrieved successfully',
});

export const updateOrganization = contract({
  operationId: 'updateOrganization',
  method: 'PATCH',
  path: '/organizations/{organization_id}',
  specified: true,
  summary: 'Update an organization',
  description: 'Updates only the given fields. `settings` is merged with the current settings.',
  access: memberOfPath('ADMIN', 'Only owners and admins can update the organization'),
  body: z.object({
    name: organizationName.optional(),
    description: description.nullish(),
    website: website.nullish(),
    industry: industry.nullish(),
    size: size.nullish(),
    timezone: timezone.optional(),
    settings: settingsPatch.optional(),
  }),
  response: z.object({
    organization: organization
      .omit({ createdAt: true, memberCount: true, role: true })
      .extend({ settings }),
  }),
  message: 'Organization updated successfully',
});

export const deleteOrganization = contract({
  operationId: 'deleteOrganization',
  method: 'DELETE',
  path: '/organizations/{organization_id}',
  specified: true,
  role: 'sender',
  summary: 'Delete an organization and all its data',
  description: 'Access ends immediately. The data is deleted in the background.',
  access: {
    ...memberOfPath('OWNER', 'Only the owner can delete the organization'),
    whileSuspended: true,
  },
  message: 'Organization deleted successfully',
});

export const listMembers = contract({
  operationId: 'listMembers',
  path: '/organizations/{organization_id}/members',
  specified: true,
  summary: 'List the members of an organization',
  tool: true,
  description: 'Ordered by join date.',
  access: memberOfPath('VIEWER'),
  response: z.object({
    members: z.array(member),
    total,
  }),
  message: 'Members retrieved successfully',
});

export const inviteMember = contract({
  operationId: 'inviteMember',
  method: 'POST',
  path: '/organizations/{organization_id}/members/invite',
  specified: true,
  role: 'sender',
  summary: 'Invite a member to an organization',
  description:
    'Sends an email with a link that expires in seven days and works once. A new invitation replaces a pending one for the same email address. If the organization allows it, members can invite with the role MEMBER or VIEWER. The invitation is revoked when its creator leaves or can no longer grant the role.',
  access: peopleOnly({
    ...memberOfPath('ADMIN', 'Only owners and admins can invite members'),
    unless: { setting: 'allowMemberInvites', lowestRole: 'MEMBER' },
  }),
  rateLimit: 'invitation',
  countedInHandler: ['invitationAddress', 'invitationUnverified'],
  body: z.object({
    email,
    role,
    message: optional(text({ max: maxLength.description, example: 'Come and reckon with us' })),
  }),
  status: 201,
  response: z.object({ invitation }),
  message: 'Invitation sent successfully',
  errors: ['ALREADY_MEMBER', 'OVERTAKEN'],
});

export const listInvitations = contract({
  operationId: 'listInvitations',
  path: '/organizations/{organization_id}/invitations',
  summary: 'List the invitations of an organization',
  access: memberOfPath('ADMIN', 'Only owners and admins can see invitations'),
  response: z.object({
    invitations: z.array(invitation),
    total,
  }),
  message: 'Invitations retrieved successfully',
});

const alreadyEnded: OwnRefusal = { code: 'WRONG_STATE', when: 'The invitation has ended.' };

export const revokeInvitation = contract({
  operationId: 'revokeInvitation',
  method: 'DELETE',
  path: '/organizations/{organization_id}/invitations/{invitation_id}',
  summary: 'Revoke an invitation',
  access: peopleOnly(memberOfPath('ADMIN', 'Only owners and admins can revoke invitations')),
  message: 'Invitation revoked successfully',
  errors: ['INVITATION_NOT_FOUND', alreadyEnded],
});

export const lookUpInvitation = contract({
  operationId: 'lookUpInvitation',
  method: 'POST',
  path: '/organizations/invitations/lookup',
  summary: 'Look up an invitation',
  description:
    'Describes the invitation of a token, even after it has ended. `hasAccount` is true if a user has the invited address: sign in as this user to accept. Otherwise, accept without credentials. `invitedBy` is null if the inviter has deleted their account.',
  access: openToAll,
  rateLimit: 'publicPages',
  idempotent: false,
  body: z.object({ token: invitationToken }),
  response: z.object({
    invitation: invitation.pick({ email: true, role: true, status: true, expiresAt: true }).extend({
      organization: z.object({ name: organizationName }),
      invitedBy: orNull(userSummary.pick({ firstName: true, lastName: true })),
    }),
    hasAccount: z.boolean().meta({ example: false }),
  }),
  message: 'Invitation retrieved successfully',
  errors: ['INVITATION_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'],
});

const joinedOrganization = organization.pick({ id: true, name: true, role: true });
const acceptedMessage = 'Invitation accepted successfully';

const joinWithPassword = z.object({
  token: invitationToken,
  firstName,
  lastName,
  password: newPassword,
});
const joinWithGoogle = z.object({
  token: invitationToken,
  idToken,
  password: z
    .unknown()
    .refine(() => false, { error: 'cannot be combined with idToken' })
    .nullish(),
});

export const acceptInvitation = contract({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/organizations/invitations/accept',
  memoryMb: fullProcessorMb,
  role: 'sender',
  summary: 'Accept an invitation',
  description:
    'For a signed-in user, whose email address must match the invitation: needs only `token`. Without credentials: creates a user with the invited address, who is a member of this organization and has no other, and signs them in (201). This needs `firstName`, `lastName` and `password`, or a Google `idToken` of that address. It records the consent to the terms of service, and counts the address as verified. Sets the auth cookie. Invalid credentials are rejected, not ignored; a cookie of an ended session is removed.',
  access: orAnonymous(signedInPerson),
  countedInHandler: ['signup'],
  body: z.object({
    token: invitationToken,
    firstName: optional(firstName),
    lastName: optional(lastName),
    password: optional(newPassword),
    idToken: optional(idToken),
  }),
  bodyExamples: {
    signedIn: { summary: 'Signed in', fields: ['token'] },
    password: {
      summary: 'Without an account',
      fields: ['token', 'firstName', 'lastName', 'password'],
    },
    google: { summary: 'Without an account, with Google', fields: ['token', 'idToken'] },
  },
  anonymousBody: (given) => ((given.idToken ?? null) === null ? joinWithPassword : joinWithGoogle),
  response: z.object({ organization: joinedOrganization }),
  message: acceptedMessage,
  created: {
    response: z.object({ user: newUser, organization: joinedOrganization, authToken }),
    message: acceptedMessage,
  },
  errors: [
    'GOOGLE_TOKEN_INVALID',
    'INVITATION_ADDRESS_MISMATCH',
    'EMAIL_UNVERIFIED',
    'ORGANIZATION_SUSPENDED',
    'INVITATION_NOT_FOUND',
    'ORGANIZATION_NOT_FOUND',
    'ACCOUNT_EXISTS',
    'ALREADY_MEMBER',
    alreadyEnded,
    'QUOTA_EXCEEDED',
    'GOOGLE_UNAVAILABLE',
  ],
});

export const declineInvitation = contract({
  operationId: 'declineInvitation',
  method: 'POST',
  path: '/organizations/invitations/decline',
  summary: 'Decline an invitation',
  access: signedInPerson,
  body: z.object({ token: invitationToken }),
  message: 'Invitation declined successfully',
  errors: ['INVITATION_ADDRESS_MISMATCH', 'INVITATION_NOT_FOUND', alreadyEnded],
});

export const updateMemberRole = contract({
  operationId: 'updateMemberRole',
  method: 'PATCH',
  path: '/organizations/{organization_id}/members/{user_id}/role',
  specified: true,
  role: 'sender',
  summary: "Change a member's role",
  description:
    'Only an OWNER can grant or revoke the OWNER role. Grant it to transfer ownership. You cannot raise your own role.',
  access: peopleOnly(memberOfPath('ADMIN', 'Only owners and admins can update member roles')),
  body: z.object({ role }),
  response: z.object({ member: z.object({ id: userId, email, role, updatedAt: timestamp() }) }),
  message: 'Member role updated successfully',
  errors: ['LAST_OWNER', 'MEMBER_NOT_FOUND'],
});

export const removeMember = contract({
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/organizations/{organization_id}/members/{user_id}',
  specified: true,
  role: 'sender',
  summary: 'Remove a member',
  description:
    "Ends the member's pending invitations, API keys, connect links and calendar address. The member's webhooks stay; the response lists them.",
  access: peopleOnly(memberOfPath('ADMIN', 'Only owners and admins can remove members')),
  response: z.object({ webhooks: z.array(organizationWebhook) }),
  message: 'Member removed successfully',
  errors: ['LAST_OWNER', 'MEMBER_NOT_FOUND'],
});

export const leaveOrganization = contract({
  operationId: 'leaveOrganization',
  method: 'DELETE',
  path: '/organizations/{organization_id}/members/leave',
  specified: true,
  role: 'sender',
  summary: 'Leave an organization',
  description: 'The last OWNER cannot leave.',
  access: peopleOnly(memberOfPath('VIEWER')),
  message: 'You have left the organization',
  errors: ['LAST_OWNER'],
});

export const listAuditLog = contract({
  operationId: 'listAuditLog',
  path: '/organizations/{organization_id}/audit-log',
  summary: 'List the audit log of an organization',
  access: memberOfPath('ADMIN', 'Only owners and admins can see the audit log'),
  query: z.object(paginationQuery),
  response: z.object({
    entries: z.array(
      z.object({
        id: id('0192f0c1-7b5f-7e55-8088-91a2b3c4d5e6'),
        action: z.string().meta({ example: 'member.role_changed' }),
        actorId: orNull(userId.meta({ description: 'Null if the service made the change' })),
        actorApiKeyId: orNull(
          apiKeyId.meta({
            description:
              'The API key that made the change, created by the user `actorId`. Null for people',
          }),
        ),
        actorOperatorKeyId: orNull(
          z.string().meta({ example: null, description: 'The operator of the service made it' }),
        ),
        targetType: z.string().meta({ example: 'member' }),
        targetId: z.string().meta({ example: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f' }),
        details: z
          .record(z.string(), z.unknown())
          .meta({ example: { from: 'MEMBER', to: 'ADMIN' } }),
        createdAt: timestamp(),
      }),
    ),
    pagination,
  }),
  message: 'Audit log retrieved successfully',
});

export const notificationKinds = [
  'handedOver',
  'unanswered',
  'assigned',
  'credits',
  'postFailed',
  'accountInactive',
  'webhookDisabled',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
const notificationWay = z.enum(['MAIL', 'OFF']).meta({ example: 'MAIL' });
export type NotificationWay = z.output<typeof notificationWay>;

const notificationSettings = z
  .object({
    handedOver: notificationWay,
    unanswered: notificationWay.meta({
      description: 'A digest of conversations in which no agent answers',
    }),
    assigned: notificationWay,
    credits: notificationWay,
    postFailed: notificationWay,
    accountInactive: notificationWay,
    webhookDisabled: notificationWay,
  })
  .meta({ id: 'NotificationSettings' });

export const getNotificationSettings = contract({
  operationId: 'getNotificationSettings',
  path: '/organizations/{organization_id}/notification-settings',
  summary: 'Get your notification settings in an organization',
  description:
    'Until you change a setting, it follows your role: owners and admins are notified of everything, members of assignments, and viewers of nothing.',
  access: peopleOnly(memberOfPath('VIEWER')),
  response: z.object({ notificationSettings }),
  message: 'Notification settings retrieved successfully',
});

export const updateNotificationSettings = contract({
  operationId: 'updateNotificationSettings',
  method: 'PATCH',
  path: '/organizations/{organization_id}/notification-settings',
  summary: 'Update your notification settings in an organization',
  access: peopleOnly(memberOfPath('VIEWER')),
  body: notificationSettings.partial(),
  response: z.object({ notificationSettings }),
  message: 'Notification settings updated successfully',
});
