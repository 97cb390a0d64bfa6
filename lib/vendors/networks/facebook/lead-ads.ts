import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import {
  anyText,
  networkId,
  optionalId,
  readableList,
  readPart,
  textOrEmpty,
} from '#lib/vendors/networks/lenient-fields.ts';
import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { Entry, MetaChange } from '#lib/vendors/networks/meta/meta-events.ts';
import type { Credentials, LeadAd, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const leadChange = z.object({ leadgen_id: networkId });
const lead = z.object({
  ad_id: optionalId,
  form_id: optionalId,
  field_data: readableList(
    platform,
    z.object({ name: textOrEmpty, values: readableList(platform, anyText) }),
  ),
});

/** Returns the submission of a lead ad's form. The event contains only its id. */
export function leadEvent(entry: Entry, change: MetaChange): NormalisedEvent | undefined {
  const read = readPart(platform, leadChange, change.value);
  if (!read) {
    return undefined;
  }
  const { leadgen_id: id } = read;

  return {
    // Ids of comments and messages never have this prefix.
    eventId: `leadgen-${id}`,
    platformUserId: entry.accountId,
    type: 'leadAd',
    channel: 'POST',
    from: { id, name: '' },
    text: '',
    messageId: id,
    isEcho: false,
    occurredAt: entry.occurredAt,
  };
}

/** Requires the permission `leads_retrieval`. */
export async function fetchLeadAd(credentials: Credentials, leadAdId: string): Promise<LeadAd> {
  const answer = await call(credentials, {
    path: pathOf(leadAdId),
    query: { fields: 'id,created_time,ad_id,form_id,field_data' },
  });
  const { ad_id: adId, form_id: formId, field_data: answers } = readAnswer(platform, lead, answer);

  return { adId, formId, answers };
}
