import { optional, timestamp } from './common.ts';
import {
  content,
  contentPost,
  exampleAccountId,
  firstComment,
  groupId,
  mediaIds,
  mediaUrls,
  postId,
  reads,
  scheduledAt,
  socialAccountId,
  tags,
  thread,
  utmParameters,
  writes,
} from './content.ts';
import { contract } from './contract.ts';
import { settingsField } from './post-settings.ts';
import * as z from './zod.ts';

const maxTargets = 20;

const contentGroup = z
  .object({
    id: groupId,
    createdAt: timestamp(),
    posts: z.array(contentPost).meta({ description: 'In the order of the targets' }),
  })
  .meta({ id: 'ContentGroup' });

const target = z.object({
  socialAccountId,
  content: optional(content.meta({ description: 'Replaces the common text' })),
  mediaIds: optional(
    mediaIds.meta({ description: 'Replaces the common `mediaUrls` and `mediaIds`' }),
  ),
  firstComment: optional(firstComment),
  thread: optional(thread),
  settings: optional(settingsField),
});

export const createContentGroup = contract({
  operationId: 'createContentGroup',
  method: 'POST',
  path: '/content/{organization_id}/groups',
  role: 'sender',
  summary: 'Publish, schedule or draft a composition on several accounts',
  tool: true,
  description: [
    'Creates a post for each target. All targets are checked like in preflight before anything is written: a problem returns 400 with `targets.N`, and nothing is created.',
    'Without a time, all posts are published immediately and independently of each other. Each has its own status: FAILED if its network rejects it, SCHEDULED while it is retried or processed.',
  ].join(' '),
  access: writes,
  body: z.object({
    content: optional(
      content.meta({ description: 'Required unless every target has a separate text' }),
    ),
    mediaUrls: optional(mediaUrls),
    mediaIds: optional(mediaIds),
    scheduledAt: optional(scheduledAt),
    useNextSlot: optional(
      z.boolean().meta({
        example: false,
        description: 'Schedules each post for the next free slot of its account',
      }),
    ),
    draft: optional(z.boolean().meta({ example: false })),
    tags: optional(tags),
    ...utmParameters,
    targets: z
      .array(target)
      .min(1)
      .max(maxTargets)
      .meta({ description: 'Each has a different account' }),
  }),
  bodyExamples: {
    scheduled: {
      summary: 'The same post scheduled on several accounts',
      fields: ['content', 'mediaUrls', 'scheduledAt', 'tags', 'targets'],
      values: { targets: [{ socialAccountId: exampleAccountId }] },
    },
    draft: {
      summary: 'A draft with a separate text for one account',
      fields: ['content', 'draft', 'targets'],
      values: {
        draft: true,
        targets: [{ socialAccountId: exampleAccountId, content: 'Engines for professionals' }],
      },
    },
  },
  status: 201,
  response: z.object({ group: contentGroup }),
  message: 'Content group created successfully',
  strict: true,
});

export const getContentGroup = contract({
  operationId: 'getContentGroup',
  path: '/content/{organization_id}/groups/{group_id}',
  summary: 'Get a composition with its posts',
  access: reads,
  response: z.object({ group: contentGroup }),
  message: 'Content group retrieved successfully',
  errors: ['CONTENT_GROUP_NOT_FOUND'],
});

export const updateContentGroup = contract({
  operationId: 'updateContentGroup',
  method: 'PATCH',
  path: '/content/{organization_id}/groups/{group_id}',
  role: 'sender',
  summary: 'Update the unpublished posts of a composition',
  description:
    'Posts that are published, being published, or whose outcome is unknown stay unchanged. `content` replaces the common text, so posts with a separate text keep it. `scheduledAt` schedules drafts and failed posts, and null turns scheduled posts into drafts. A problem of any post returns 400, and nothing is changed.',
  access: writes,
  body: z.object({
    content: content.optional(),
    scheduledAt: scheduledAt.nullish(),
    tags: tags.nullish(),
  }),
  response: z.object({ group: contentGroup }),
  message: 'Content group updated successfully',
  errors: ['CONTENT_GROUP_NOT_FOUND', 'MEDIA_NOT_FOUND', 'WRONG_STATE', 'OVERTAKEN'],
  strict: true,
});

export const deleteContentGroup = contract({
  operationId: 'deleteContentGroup',
  method: 'DELETE',
  path: '/content/{organization_id}/groups/{group_id}',
  role: 'sender',
  summary: 'Cancel the unpublished posts of a composition',
  description:
    'Posts that are published, being published, or whose outcome is unknown are kept. If none is kept, the group no longer exists.',
  access: writes,
  response: z.object({
    canceledPostIds: z.array(postId),
  }),
  message: 'Content group canceled successfully',
  errors: ['CONTENT_GROUP_NOT_FOUND', 'WRONG_STATE', 'OVERTAKEN'],
});
