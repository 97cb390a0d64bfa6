import {
  beginningWith,
  between,
  counterShard,
  inTenant,
  type Key,
  type KeyRange,
  key,
  last,
  tenant,
  wordShard,
} from './key.ts';

export const leadKeys = {
  pipeline: (organizationId: string, pipelineId: string) =>
    inTenant(organizationId, `PIPELINE#${pipelineId}`),
  /** In its own partition, together with its activities, because leads are written most often. */
  lead: (organizationId: string, leadId: string) =>
    key(`${tenant(organizationId)}#LEAD#${leadId}`, 'LEAD'),
  leadActivity: (organizationId: string, leadId: string, activityId: string) =>
    key(`${tenant(organizationId)}#LEAD#${leadId}`, `ACTIVITY#${activityId}`),
  contact: (organizationId: string, contactId: string) =>
    key(`${tenant(organizationId)}#CONTACT#${contactId}`, 'CONTACT'),
  /** Limits a contact to one lead per pipeline. */
  leadClaim: (organizationId: string, contactId: string, pipelineId: string) =>
    key(`${tenant(organizationId)}#CONTACT#${contactId}`, `LEAD_IN#${pipelineId}`),
  /** A conversation in its contact's list of conversations, in the contact's partition. */
  contactConversation: (organizationId: string, contactId: string, conversationId: string) =>
    key(leadKeys.contact(organizationId, contactId).pk, `CONVERSATION#${conversationId}`),
  contactEmail: (organizationId: string, email: string) =>
    key(`${tenant(organizationId)}#CONTACT_EMAIL#${email}`, 'CLAIM'),
  contactWord: (organizationId: string, word: string, contactId: string) =>
    key(contactWords(organizationId, wordShard(word)), `${word}#${contactId}`),
  contactCounter: (organizationId: string, shard: number) =>
    key(`${tenant(organizationId)}#CONTACT_COUNTS`, counterShard(shard)),
  pipelineCounter: (organizationId: string, pipelineId: string, shard: number) =>
    key(`${tenant(organizationId)}#LEAD_COUNTS`, `${pipelineId}#${counterShard(shard)}`),
  /** Metrics of the leads with one facet value, such as a source. */
  facetCounter: (organizationId: string, facet: LeadFacet, value: string, shard: number) =>
    key(`${tenant(organizationId)}#LEAD_FACET#${facet}`, `${value}#${counterShard(shard)}`),
  /** All custom fields. */
  customFields: (organizationId: string) => inTenant(organizationId, 'CUSTOM_FIELDS'),
  /** The form with this public code. */
  formCode: (code: string) => key(`FORM_CODE#${code}`, 'CLAIM'),
  /** Number of submissions of a form, sharded for concurrent writes. */
  formCounter: (organizationId: string, formId: string, shard: number) =>
    key(`${tenant(organizationId)}#FORM_COUNTS`, `${formId}#${counterShard(shard)}`),
  /** A lead in the list of leads with one tag. */
  leadTag: (organizationId: string, tag: string, leadId: string) =>
    key(`${tenant(organizationId)}#LEAD_TAGS`, `${inKey(tag)}#${leadId}`),
  /** Number of leads that have a tag. */
  leadTagCounter: (organizationId: string, tag: string, shard: number) =>
    key(`${tenant(organizationId)}#LEAD_TAG_COUNTS`, `${inKey(tag)}#${counterShard(shard)}`),
  /** In its own partition. An index lists the imports. */
  leadImport: (organizationId: string, importId: string) =>
    key(leadImport(organizationId, importId), 'IMPORT'),
  /** Held by a running import, to limit the number of imports that run at a time. */
  leadImportSlot: (organizationId: string, slot: number) =>
    inTenant(organizationId, `IMPORT_SLOT#${slot}`),
  /** Some rows of an import, by the number of the first row. */
  leadImportChunk: (organizationId: string, importId: string, firstRow: number) =>
    key(leadImport(organizationId, importId), `CHUNK#${importRow(firstRow)}`),
  /** The outcome of one row. It is written together with the row's lead. */
  leadImportRow: (organizationId: string, importId: string, row: number) =>
    key(leadImport(organizationId, importId), `ROW#${importRow(row)}`),
  /** The erasure of a person's data. */
  erasure: (organizationId: string, erasureId: string) =>
    inTenant(organizationId, `ERASURE#${erasureId}`),
  /** Limits a contact or network customer to one erasure at a time. */
  erasureClaim: (organizationId: string, subject: string) =>
    inTenant(organizationId, `ERASING#${subject}`),
  /** A record that an erasure removed. The erasure then empties the record's partition. */
  erasedRecord: (organizationId: string, erasureId: string, kind: string, id: string) =>
    inTenant(organizationId, `ERASED#${erasureId}#${kind}#${id}`),
};

export const leadRanges = {
  pipelines: (organizationId: string) => beginningWith(tenant(organizationId), 'PIPELINE#'),
  /** A lead and its activities. In descending order: the lead, then the latest activity. */
  leadAndActivities: (organizationId: string, leadId: string) =>
    between(leadKeys.lead(organizationId, leadId).pk, 'ACTIVITY#', 'LEAD'),
  leadActivities: (organizationId: string, leadId: string) =>
    beginningWith(leadKeys.lead(organizationId, leadId).pk, 'ACTIVITY#'),
  leadClaims: (organizationId: string, contactId: string) =>
    beginningWith(leadKeys.contact(organizationId, contactId).pk, 'LEAD_IN#'),
  contactConversations: (organizationId: string, contactId: string) =>
    beginningWith(leadKeys.contact(organizationId, contactId).pk, 'CONVERSATION#'),
  contactWords: (organizationId: string, prefix: string) =>
    beginningWith(leadKeys.contactWord(organizationId, prefix, '').pk, prefix),
  contactCounters: (organizationId: string) =>
    beginningWith(leadKeys.contactCounter(organizationId, 0).pk, ''),
  leadImportSlots: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'IMPORT_SLOT#'),
  leadImportChunks: (organizationId: string, importId: string, fromRow: number, toRow: number) =>
    between(
      leadImport(organizationId, importId),
      leadKeys.leadImportChunk(organizationId, importId, fromRow).sk,
      leadKeys.leadImportChunk(organizationId, importId, toRow).sk,
    ),
  allLeadImportChunks: (organizationId: string, importId: string) =>
    beginningWith(leadImport(organizationId, importId), 'CHUNK#'),
  leadImportRows: (organizationId: string, importId: string, fromRow: number, toRow: number) =>
    between(
      leadImport(organizationId, importId),
      leadKeys.leadImportRow(organizationId, importId, fromRow).sk,
      leadKeys.leadImportRow(organizationId, importId, toRow).sk,
    ),
  erasedRecords: (organizationId: string, erasureId: string) =>
    beginningWith(tenant(organizationId), `ERASED#${erasureId}#`),
  pipelineCounters: (organizationId: string, pipelineId = '') =>
    beginningWith(leadKeys.pipelineCounter(organizationId, '', 0).pk, pipelineId),
  leadsWithTag: (organizationId: string, tag: string): KeyRange => {
    const { pk, sk } = leadKeys.leadTag(organizationId, tag, '');

    return beginningWith(pk, sk);
  },
  /** Counters of one form, or of all forms. */
  formCounters: (organizationId: string, formId = '') =>
    beginningWith(leadKeys.formCounter(organizationId, '', 0).pk, formId),
  leadTagCounters: (organizationId: string, tag?: string): KeyRange => {
    const { pk } = leadKeys.leadTagCounter(organizationId, '', 0);

    return beginningWith(pk, tag === undefined ? '' : `${inKey(tag)}#`);
  },
  facetCounters: (organizationId: string, facet: LeadFacet, value?: string) =>
    beginningWith(
      leadKeys.facetCounter(organizationId, facet, '', 0).pk,
      value === undefined ? '' : `${value}#`,
    ),
  /** The daily lead counters between two days, both inclusive. */
  leadDayCounters: (organizationId: string, from: string, to: string) =>
    between(
      leadKeys.facetCounter(organizationId, 'createdOn', '', 0).pk,
      `${from}#`,
      `${to}#${last}`,
    ),
};

/** Removes `#`, which separates the parts of a sort key. */
function inKey(tag: string): string {
  return encodeURIComponent(tag);
}

function leadImport(organizationId: string, importId: string): string {
  return `${tenant(organizationId)}#IMPORT#${importId}`;
}

function importRow(row: number): string {
  return String(row).padStart(6, '0');
}

export function isActivityKey({ sk }: Key): boolean {
  return sk.startsWith('ACTIVITY#');
}

export function contactWords(organizationId: string, shard: number): string {
  return `${tenant(organizationId)}#CONTACT_WORDS#${counterShard(shard)}`;
}

/** Facets by which leads are counted, in addition to pipeline, stage and status. */
export const leadFacets = [
  'source',
  'campaign',
  'assignedToId',
  'socialAccountId',
  'contentPostId',
  'createdOn',
] as const;

export type LeadFacet = (typeof leadFacets)[number];
