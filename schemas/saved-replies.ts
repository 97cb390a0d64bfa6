import { id, name, publicText, timestamp, total } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import * as z from './zod.ts';

export const savedReplyId = id('0192f0c4-6f70-7596-b7c8-4d5e6f708192');

/** The placeholders of a saved reply. */
export const savedReplyVariables = [
  'companyName',
  'customerName',
  'platform',
  'currentDate',
  'language',
] as const;

const savedReplyName = name({ example: 'Opening hours' });
/** One response contains all saved replies. */
const text = publicText({ max: 2_000, example: 'Hello {{customerName}}, we open at nine.' });
const placeholders = `Placeholders: ${savedReplyVariables.map((one) => `{{${one}}}`).join(', ')}.`;

const savedReply = z
  .object({
    id: savedReplyId,
    name: z.string().meta({ example: 'Opening hours' }),
    text: z.string().meta({ example: 'Hello {{customerName}}, we open at nine.' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'SavedReply' });

export const createSavedReply = contract({
  operationId: 'createSavedReply',
  method: 'POST',
  path: '/ai/saved-replies/{organization_id}',
  summary: 'Create a saved reply',
  description: placeholders,
  access: memberOfPath('MEMBER'),
  body: z.object({ name: savedReplyName, text }),
  status: 201,
  response: z.object({ savedReply }),
  message: 'Saved reply created successfully',
  errors: ['SAVED_REPLY_NAME_EXISTS', 'QUOTA_EXCEEDED'],
});

export const listSavedReplies = contract({
  operationId: 'listSavedReplies',
  path: '/ai/saved-replies/{organization_id}',
  summary: 'List saved replies, newest first',
  access: memberOfPath('VIEWER'),
  response: z.object({ savedReplies: z.array(savedReply), total }),
  message: 'Saved replies retrieved successfully',
});

export const updateSavedReply = contract({
  operationId: 'updateSavedReply',
  method: 'PATCH',
  path: '/ai/saved-replies/{organization_id}/{saved_reply_id}',
  summary: 'Update a saved reply',
  description: placeholders,
  access: memberOfPath('MEMBER'),
  body: z.object({ name: savedReplyName.optional(), text: text.optional() }),
  response: z.object({ savedReply }),
  message: 'Saved reply updated successfully',
  errors: ['SAVED_REPLY_NOT_FOUND', 'SAVED_REPLY_NAME_EXISTS'],
});

export const deleteSavedReply = contract({
  operationId: 'deleteSavedReply',
  method: 'DELETE',
  path: '/ai/saved-replies/{organization_id}/{saved_reply_id}',
  summary: 'Delete a saved reply',
  access: memberOfPath('MEMBER'),
  message: 'Saved reply deleted successfully',
  errors: ['SAVED_REPLY_NOT_FOUND'],
});
