import { id, name, timestamp, total } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import * as z from './zod.ts';

const maxWords = 100;
const maxAccounts = 50;

const moderationRuleId = id('0192f0c6-7f80-7192-a3b4-c5d6e7f80912');
const accountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');

const ruleName = name({ example: 'Spam' });
const socialAccountIds = z
  .array(accountId)
  .max(maxAccounts)
  .meta({ description: 'Empty for all accounts', example: [] });
const words = z
  .array(name({ max: 200, example: 'free followers' }))
  .max(maxWords)
  .meta({
    description: 'Matched anywhere in a comment, as whole words, like CONTAINS keywords',
  });
const links = z.boolean().meta({
  example: true,
  description: 'Matches web addresses, and domains with a path',
});
const isActive = z.boolean().meta({ example: true });

const moderationRule = z
  .object({
    id: moderationRuleId,
    name: z.string().meta({ example: 'Spam' }),
    socialAccountIds: z.array(accountId),
    words: z.array(z.string().meta({ example: 'free followers' })),
    links,
    isActive,
    hiddenCount: z
      .int()
      .min(0)
      .meta({ example: 3, description: 'Comments that the rule has hidden' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'ModerationRule' });

const effect =
  'A comment that an active rule matches is hidden after its lead was created, and is not answered. LinkedIn cannot hide comments: there it is only not answered.';

export const createModerationRule = contract({
  operationId: 'createModerationRule',
  method: 'POST',
  path: '/campaigns/{organization_id}/moderation-rules',
  summary: 'Create a moderation rule',
  description: effect,
  access: memberOfPath('MEMBER'),
  body: z.object({
    name: ruleName,
    socialAccountIds: socialAccountIds.default([]),
    words: words.default([]),
    links: links.default(false),
    isActive: isActive.default(true),
  }),
  status: 201,
  response: z.object({ moderationRule }),
  message: 'Moderation rule created successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND', 'QUOTA_EXCEEDED'],
});

export const listModerationRules = contract({
  operationId: 'listModerationRules',
  path: '/campaigns/{organization_id}/moderation-rules',
  summary: 'List moderation rules, newest first',
  access: memberOfPath('VIEWER'),
  response: z.object({
    moderationRules: z.array(moderationRule),
    total,
  }),
  message: 'Moderation rules retrieved successfully',
});

export const updateModerationRule = contract({
  operationId: 'updateModerationRule',
  method: 'PATCH',
  path: '/campaigns/{organization_id}/moderation-rules/{rule_id}',
  summary: 'Update a moderation rule',
  description: effect,
  access: memberOfPath('MEMBER'),
  body: z.object({
    name: ruleName.optional(),
    socialAccountIds: socialAccountIds.optional(),
    words: words.optional(),
    links: links.optional(),
    isActive: isActive.optional(),
  }),
  response: z.object({ moderationRule }),
  message: 'Moderation rule updated successfully',
  errors: ['MODERATION_RULE_NOT_FOUND', 'SOCIAL_ACCOUNT_NOT_FOUND'],
});

export const deleteModerationRule = contract({
  operationId: 'deleteModerationRule',
  method: 'DELETE',
  path: '/campaigns/{organization_id}/moderation-rules/{rule_id}',
  summary: 'Delete a moderation rule',
  description: 'Comments that it has hidden stay hidden.',
  access: memberOfPath('ADMIN'),
  message: 'Moderation rule deleted successfully',
  errors: ['MODERATION_RULE_NOT_FOUND'],
});
