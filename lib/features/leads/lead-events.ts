import { presentAttribution } from '#lib/features/attribution/attribution.ts';
import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { get } from '#lib/platform/db/read.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { planEvent, planEvents } from '#lib/platform/webhooks/deliveries.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import {
  type OrganizationEvent,
  organizationEventPlanner,
} from '#lib/platform/webhooks/organization-events.ts';
import type { CustomField } from './custom-field.ts';
import { fieldsFor, presentValues } from './custom-values.ts';
import type { Lead } from './lead.ts';

const leadFields = [
  'id',
  'contactId',
  'pipelineId',
  'stageId',
  'source',
  'value',
  'status',
  'assignedToId',
  'notes',
  'tags',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'campaignId',
  'conversationId',
  'convertedAt',
  'createdAt',
  'updatedAt',
] as const;
const contactFields = ['id', 'name', 'email', 'phone', 'company'] as const;

/** Returns only these fields, with null for missing values. */
function only<T, Field extends keyof T>(record: T, fields: readonly Field[]) {
  return Object.fromEntries(fields.map((field) => [field, record[field] ?? null]));
}

function dataOf(lead: Lead, contact: Contact | undefined, fields: readonly CustomField[]) {
  return {
    campaignId: lead.campaignId ?? null,
    conversationId: lead.conversationId ?? null,
    lead: {
      ...only(lead, leadFields),
      attribution: lead.attribution ? presentAttribution(lead.attribution) : null,
      tags: lead.tags ?? [],
      customFields: presentValues(fields, 'LEAD', lead.customValues),
      converted: lead.status === 'CONVERTED',
    },
    contact: contact ? only(contact, contactFields) : null,
  };
}

type CreatedLead = {
  readonly lead: Lead;
  readonly contact: Contact;
  readonly fields: readonly CustomField[];
};

export function planLeadCreatedEvent(
  endpoint: WebhookEndpoint | undefined,
  { lead, contact, fields }: CreatedLead,
): readonly Write[] {
  return planEvent(endpoint, { type: 'lead.created', data: dataOf(lead, contact, fields) });
}

type LeadEvent = 'lead.created' | 'lead.deleted';

/** Returns an event about a lead for the webhooks of the organization. */
export function leadEvent(
  type: LeadEvent,
  lead: Lead,
  contact: Contact | undefined,
  fields: readonly CustomField[],
): OrganizationEvent {
  return { type, data: { leadId: lead.id, ...dataOf(lead, contact, fields) } };
}

type ClickedLink = {
  readonly campaignId: string;
  readonly conversationId: string;
  readonly url: string;
};

/** Plans the `lead.clicked` event for the webhooks of the link's campaign and of the organization. */
export async function planLeadClickedEvents(
  lead: Lead,
  clicked: ClickedLink,
): Promise<readonly Write[]> {
  const { endpoint, contact, fields, planForOrganization } = await readReceivers(
    lead,
    clicked.campaignId,
  );
  const data = { leadId: lead.id, ...dataOf(lead, contact, fields), ...clicked };
  const event = { type: 'lead.clicked', data } as const;

  return [...planEvent(endpoint, event), ...planForOrganization([event])];
}

/** Reads the receivers of an event, and the data that the event contains besides the lead. */
async function readReceivers(
  { organizationId, contactId, customValues }: Lead,
  campaignId: string | null | undefined,
) {
  const [endpoint, contact, fields, planForOrganization] = await Promise.all([
    campaignId ? findWebhookEndpoint<WebhookEndpoint>(organizationId, campaignId) : undefined,
    get<Contact>(leadKeys.contact(organizationId, contactId)),
    fieldsFor(organizationId, [customValues]),
    organizationEventPlanner(organizationId),
  ]);

  return { endpoint, contact, fields, planForOrganization };
}

/**
 * Plans the `lead.updated` event for the webhooks of the lead's campaign and of the organization, and
 * `lead.converted` if the lead was converted.
 */
export async function planLeadChangedEvents(before: Lead, after: Lead): Promise<readonly Write[]> {
  const { endpoint, contact, fields, planForOrganization } = await readReceivers(
    after,
    after.campaignId,
  );
  const data = dataOf(after, contact, fields);
  const changedFields = [
    ...leadFields.filter((field) => field !== 'updatedAt' && before[field] !== after[field]),
    ...(before.customValues === after.customValues ? [] : ['customFields']),
  ];
  const isConverted = before.status !== 'CONVERTED' && after.status === 'CONVERTED';
  const events = [
    { type: 'lead.updated', data: { ...data, changedFields } } as const,
    ...(isConverted ? [{ type: 'lead.converted', data } as const] : []),
  ];

  return [
    ...planEvents(endpoint, events),
    ...planForOrganization(
      events.map((event) => ({ ...event, data: { leadId: after.id, ...event.data } })),
    ),
  ];
}
