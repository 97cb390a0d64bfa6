import { capabilityMissing, commentCapability } from '#lib/vendors/networks/capabilities.ts';
import type { CommentActionsApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const answer = z.object({ data: z.object({ hidden: z.boolean() }) });

/** Hides a reply in a conversation that the account started. X rejects all other replies. */
export const actOnComment: CommentActionsApi['actOnComment'] = async (
  { accessToken },
  action,
  { commentId },
) => {
  if (action !== 'hide' && action !== 'unhide') {
    throw capabilityMissing(platform, commentCapability(action));
  }
  await call({
    method: 'PUT',
    path: `/2/tweets/${encodeURIComponent(commentId)}/hidden`,
    token: accessToken,
    json: { hidden: action === 'hide' },
    answer,
  });
};
