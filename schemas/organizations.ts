import { apiKeyContracts, apiKeyId } from './api-keys.ts';
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
  webUrl,
} from './common.ts';
import { defaultOptInWords, defaultOptOutMessage, defaultOptOutWords } from './consent-words.ts';
import { contract, memberOfPath, peopleOnly, signedIn, signedInPerson } from './contract.ts';
import { quotaRefusal } from './quotas.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const userId = id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f');
const invitationId = id('0192f0c1-7b5e-7d44-bf77-8091a2b3c4d5');

const organizationName = name({ min: 2, example: 'Analytical Engines' });
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

const settings = z.object({
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
      description: 'End an opt-out. START and UNSTOP always do',
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
});

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

const inPath = z.object({ organization_id: organizationId });
const memberInPath = inPath.extend({ user_id: userId });
const invitationInPath = inPath.extend({ invitation_id: invitationId });
const invitationToken = text({ min: 1, max: maxLength.token, example: 'q1w2e3r4t5y6u7i8o9p0' });

export const createOrganization = contract({
  operationId: 'createOrganization',
  area: 'organizations',
  method: 'POST',
  path: '/organizations',
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
  errors: [quotaRefusal('organizations')],
});

export const listOrganizations = contract({
  operationId: 'listOrganizations',
  area: 'organizations',
  method: 'GET',
  path: '/organizations',
  summary: "List the signed-in user's organizations",
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
    total: z.int().meta({ example: 1 }),
  }),
  message: 'Organizations retrieved successfully',
});

export const getOrganization = contract({
  operationId: 'getOrganization',
  area: 'organizations',
  method: 'GET',
  path: '/organizations/{organization_id}',
  summary: 'Get an organization',
  access: memberOfPath('VIEWER'),
  params: inPath,
  response: z.object({ organization: organization.extend({ settings }) }),
  message: 'Organization retrieved successfully',
});

export const updateOrganization = contract({
  operationId: 'updateOrganization',
  area: 'organizations',
  method: 'PATCH',
  path: '/organizations/{organization_id}',
  summary: 'Update an organization',
  description: 'Updates only the given fields. `settings` is merged with the current settings.',
  access: memberOfPath('ADMIN', 'Only owners and admins can update the organization'),
  params: inPath,
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
  area: 'organizations',
  method: 'DELETE',
  path: '/organizations/{organization_id}',
  role: 'sender',
  summary: 'Delete an organization and all its data',
  description: 'Access ends immediately. The data is deleted in the background.',
  access: memberOfPath('OWNER', 'Only the owner can delete the organization'),
  params: inPath,
  message: 'Organization deleted successfully',
});

export const listMembers = contract({
  operationId: 'listMembers',
  area: 'organizations',
  method: 'GET',
  path: '/organizations/{organization_id}/members',
  summary: 'List the members of an organization',
  description: 'Ordered by join date.',
  access: memberOfPath('VIEWER'),
  params: inPath,
  response: z.object({
    members: z.array(member),
    total: z.int().meta({ example: 1 }),
  }),
  message: 'Members retrieved successfully',
});

export const inviteMember = contract({
  operationId: 'inviteMember',
  area: 'organizations',
  method: 'POST',
  path: '/organizations/{organization_id}/members/invite',
  role: 'sender',
  summary: 'Invite a member to an organization',
  description:
    'Sends an email with a link that expires in seven days and works once. A new invitation replaces a pending one for the same email address. If the organization allows it, members can invite with the role MEMBER or VIEWER. The invitation is revoked when its maker leaves or may no longer give the role.',
  access: {
    ...memberOfPath('ADMIN', 'Only owners and admins can invite members'),
    unless: { setting: 'allowMemberInvites', lowestRole: 'MEMBER' },
  },
  rateLimit: 'invitation',
  countedInHandler: ['invitationAddress', 'invitationUnverified'],
  params: inPath,
  body: z.object({
    email,
    role,
    message: optional(text({ max: maxLength.description, example: 'Come and reckon with us' })),
  }),
  status: 201,
  response: z.object({ invitation }),
  message: 'Invitation sent successfully',
  errors: ['forbidden', 'conflict'],
});

export const listInvitations = contract({
  operationId: 'listInvitations',
  area: 'organizations',
  method: 'GET',
  path: '/organizations/{organization_id}/invitations',
  summary: 'List the invitations of an organization',
  access: memberOfPath('ADMIN', 'Only owners and admins can see invitations'),
  extension: true,
  params: inPath,
  response: z.object({
    invitations: z.array(invitation),
    total: z.int().meta({ example: 1 }),
  }),
  message: 'Invitations retrieved successfully',
});

export const revokeInvitation = contract({
  operationId: 'revokeInvitation',
  area: 'organizations',
  method: 'DELETE',
  path: '/organizations/{organization_id}/invitations/{invitation_id}',
  summary: 'Revoke an invitation',
  access: memberOfPath('ADMIN', 'Only owners and admins can revoke invitations'),
  extension: true,
  params: invitationInPath,
  message: 'Invitation revoked successfully',
  errors: ['notFound', 'conflict'],
});

export const acceptInvitation = contract({
  operationId: 'acceptInvitation',
  area: 'organizations',
  method: 'POST',
  path: '/organizations/invitations/accept',
  role: 'sender',
  summary: 'Accept an invitation',
  description: "The signed-in user's email address must match the invitation.",
  access: signedInPerson,
  extension: true,
  body: z.object({ token: invitationToken }),
  response: z.object({ organization: organization.pick({ id: true, name: true, role: true }) }),
  message: 'Invitation accepted successfully',
  errors: ['forbidden', 'notFound', 'conflict', quotaRefusal('members')],
});

export const declineInvitation = contract({
  operationId: 'declineInvitation',
  area: 'organizations',
  method: 'POST',
  path: '/organizations/invitations/decline',
  summary: 'Decline an invitation',
  access: signedInPerson,
  extension: true,
  body: z.object({ token: invitationToken }),
  message: 'Invitation declined successfully',
  errors: ['forbidden', 'notFound', 'conflict'],
});

const lastOwner = {
  kind: 'badRequest',
  when: 'This would leave the organization without an owner.',
  message: 'Transfer ownership before leaving the organization',
} as const;
const concurrentChange = {
  kind: 'conflict',
  when: 'Concurrent requests keep changing the same member.',
  message: 'Another request is changing the member. Try again',
} as const;

export const updateMemberRole = contract({
  operationId: 'updateMemberRole',
  area: 'organizations',
  method: 'PATCH',
  path: '/organizations/{organization_id}/members/{user_id}/role',
  role: 'sender',
  summary: "Change a member's role",
  description:
    'Only an OWNER can grant or revoke the OWNER role. Grant it to transfer ownership. You cannot raise your own role.',
  access: memberOfPath('ADMIN', 'Only owners and admins can update member roles'),
  params: memberInPath,
  body: z.object({ role }),
  response: z.object({ member: z.object({ id: userId, email, role, updatedAt: timestamp() }) }),
  message: 'Member role updated successfully',
  errors: [lastOwner, 'forbidden', 'notFound', concurrentChange],
});

export const removeMember = contract({
  operationId: 'removeMember',
  area: 'organizations',
  method: 'DELETE',
  path: '/organizations/{organization_id}/members/{user_id}',
  role: 'sender',
  summary: 'Remove a member',
  access: memberOfPath('ADMIN', 'Only owners and admins can remove members'),
  params: memberInPath,
  message: 'Member removed successfully',
  errors: [lastOwner, 'forbidden', 'notFound', concurrentChange],
});

export const leaveOrganization = contract({
  operationId: 'leaveOrganization',
  area: 'organizations',
  method: 'DELETE',
  path: '/organizations/{organization_id}/members/leave',
  role: 'sender',
  summary: 'Leave an organization',
  description: 'The last OWNER cannot leave.',
  access: peopleOnly(memberOfPath('VIEWER')),
  params: inPath,
  message: 'You have left the organization',
  errors: [lastOwner, concurrentChange],
});

export const listAuditLog = contract({
  operationId: 'listAuditLog',
  area: 'organizations',
  method: 'GET',
  path: '/organizations/{organization_id}/audit-log',
  summary: 'List the audit log of an organization',
  access: memberOfPath('ADMIN', 'Only owners and admins can see the audit log'),
  extension: true,
  params: inPath,
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
    assigned: notificationWay,
    credits: notificationWay,
    postFailed: notificationWay,
    accountInactive: notificationWay,
    webhookDisabled: notificationWay,
  })
  .meta({ id: 'NotificationSettings' });

export const getNotificationSettings = contract({
  operationId: 'getNotificationSettings',
  area: 'organizations',
  method: 'GET',
  path: '/organizations/{organization_id}/notification-settings',
  summary: 'Get your notification settings in an organization',
  description:
    'Until you change a setting, it follows your role: owners and admins are notified of everything, members of assignments, and viewers of nothing.',
  access: memberOfPath('VIEWER'),
  extension: true,
  params: inPath,
  response: z.object({ notificationSettings }),
  message: 'Notification settings retrieved successfully',
});

export const updateNotificationSettings = contract({
  operationId: 'updateNotificationSettings',
  area: 'organizations',
  method: 'PATCH',
  path: '/organizations/{organization_id}/notification-settings',
  summary: 'Update your notification settings in an organization',
  access: memberOfPath('VIEWER'),
  extension: true,
  params: inPath,
  body: notificationSettings.partial(),
  response: z.object({ notificationSettings }),
  message: 'Notification settings updated successfully',
});

export const organizationContracts = [
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  deleteOrganization,
  listMembers,
  inviteMember,
  listInvitations,
  revokeInvitation,
  acceptInvitation,
  declineInvitation,
  updateMemberRole,
  removeMember,
  leaveOrganization,
  listAuditLog,
  getNotificationSettings,
  updateNotificationSettings,
  ...apiKeyContracts,
] as const;
