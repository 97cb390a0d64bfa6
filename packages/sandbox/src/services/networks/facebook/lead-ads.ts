import type { SandboxAnswer } from '../../../frame/service.ts';
import { graphTime } from '../meta/api.ts';
import { signedEntry } from '../meta/events.ts';
import { nodeAnswer } from '../meta/fields.ts';
import { lead as leadType } from '../meta/node-types.ts';
import type { CreatedEvent, LeadAdForm, NetworkCall } from '../network-definition.ts';
import { type NetworkWorld, numericId } from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import { requirePageToken } from './page-access.ts';

type StoredLead = Omit<LeadAdForm, 'leadgenId'> & {
  readonly id: string;
  readonly formId: string;
  readonly adId: string;
  readonly at: string;
};

const leadsOf = perWorld(() => new Map<string, StoredLead>());

/** Stores a submitted form, and creates the event for the page's subscribers. */
export function submitLeadAd(world: NetworkWorld, form: LeadAdForm): CreatedEvent {
  const { id, userId, formId, adId, at } = keepLead(world, form);
  const seconds = Math.floor(Date.parse(at) / 1_000);
  const value = {
    leadgen_id: id,
    page_id: userId,
    form_id: formId,
    adgroup_id: adId,
    ad_id: adId,
    created_time: seconds,
  };
  const changes = [{ field: 'leadgen', value }];

  return signedEntry(world, 'page', id, { id: userId, time: seconds, changes });
}

function keepLead(world: NetworkWorld, form: LeadAdForm): StoredLead {
  const id = form.leadgenId ?? numericId(16);
  const known = leadsOf(world).get(id);

  if (known !== undefined) {
    return known;
  }

  const { formId = numericId(15), adId = numericId(15), userId, fields } = form;
  const lead = { id, userId, fields, formId, adId, at: world.clock().toISOString() };
  leadsOf(world).set(id, lead);

  return lead;
}

/** `GET /{leadgen_id}`. Returns `undefined` if the object is not a lead. */
export function readLead(call: NetworkCall): SandboxAnswer | undefined {
  const [id = ''] = call.parts;
  const lead = leadsOf(call.world).get(id);

  if (lead === undefined) {
    return undefined;
  }

  requirePageToken(call, lead.userId, 'leads_retrieval');

  return nodeAnswer(call.request, leadType, {
    id,
    created_time: graphTime(lead.at),
    ad_id: lead.adId,
    form_id: lead.formId,
    field_data: Object.entries(lead.fields).map(([name, value]) => ({ name, values: [value] })),
  });
}
