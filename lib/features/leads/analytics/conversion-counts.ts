import type { Lead } from '#lib/features/leads/lead.ts';
import {
  answererOf,
  planAnswererCounts,
} from '#lib/features/social/conversations/answerer-usage.ts';
import { findConversation } from '#lib/features/social/conversations/conversations.ts';
import type { Write } from '#lib/platform/db/write.ts';

/**
 * Returns the changed lead with its conversion attributed to the agent and template that replied in
 * its conversation. A lead that is not converted has no attribution.
 */
export async function withConvertedBy(before: Lead, after: Lead): Promise<Lead> {
  const { organizationId, conversationId } = after;
  const [was, is] = [before.status === 'CONVERTED', after.status === 'CONVERTED'];
  if (was === is) {
    return after;
  }
  const conversation =
    is && conversationId ? await findConversation(organizationId, conversationId) : undefined;
  const convertedBy = conversation && answererOf(conversation);
  const { convertedBy: _, ...rest } = after;

  return convertedBy ? { ...rest, convertedBy } : rest;
}

/** Updates the conversion counts of the agent and template when a lead's attribution changes. */
export function planConversionCount(before: Lead, after: Lead | undefined): readonly Write[] {
  return before.convertedBy === after?.convertedBy
    ? []
    : planAnswererCounts(
        before.organizationId,
        { by: before.convertedBy, amounts: { conversions: -1 } },
        { by: after?.convertedBy, amounts: { conversions: 1 } },
      );
}
