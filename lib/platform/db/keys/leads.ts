import {
  beginningWith,
  counterShard,
  type Key,
  type KeyRange,
  last,
  tenant,
  wordShard,
} from './key.ts';

export const leadKeys = {
  pipeline: (organizationId: string, pipelineId: string): Key => ({
    pk: tenant(organizationId),
    sk: `PIPELINE#${pipelineId}`,
  }),
  /** In its own partition, together with its activities, because leads are written most often. */
  lead: (organizationId: string, leadId: string): Key => ({
    pk: `${tenant(organizationId)}#LEAD#${leadId}`,
    sk: 'LEAD',
  }),
  leadActivity: (organizationId: string, leadId: string, activityId: string): Key => ({
    pk: `${tenant(organizationId)}#LEAD#${leadId}`,
    sk: `ACTIVITY#${activityId}`,
  }),
  contact: (organizationId: string, contactId: string): Key => ({
    pk: `${tenant(organizationId)}#CONTACT#${contactId}`,
    sk: 'CONTACT',
  }),
  /** Limits a contact to one lead per pipeline. */
  leadClaim: (organizationId: string, contactId: string, pipelineId: string): Key => ({
    pk: `${tenant(organizationId)}#CONTACT#${contactId}`,
    sk: `LEAD_IN#${pipelineId}`,
  }),
  /** A conversation in its contact's list of conversations, in the contact's partition. */
  contactConversation: (
    organizationId: string,
    contactId: string,
    conversationId: string,
  ): Key => ({
    pk: leadKeys.contact(organizationId, contactId).pk,
    sk: `CONVERSATION#${conversationId}`,
  }),
  contactEmail: (organizationId: string, email: string): Key => ({
    pk: `${tenant(organizationId)}#CONTACT_EMAIL#${email}`,
    sk: 'CLAIM',
  }),
  contactWord: (organizationId: string, word: string, contactId: string): Key => ({
    pk: contactWords(organizationId, wordShard(word)),
    sk: `${word}#${contactId}`,
  }),
  contactCounter: (organizationId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#CONTACT_COUNTS`,
    sk: counterShard(shard),
  }),
  pipelineCounter: (organizationId: string, pipelineId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#LEAD_COUNTS`,
    sk: `${pipelineId}#${counterShard(shard)}`,
  }),
  /** Metrics of the leads with one facet value, such as a source. */
  facetCounter: (organizationId: string, facet: LeadFacet, value: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#LEAD_FACET#${facet}`,
    sk: `${value}#${counterShard(shard)}`,
  }),
  /** All custom fields. */
  customFields: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CUSTOM_FIELDS',
  }),
  /** The form with this public code. */
  formCode: (code: string): Key => ({ pk: `FORM_CODE#${code}`, sk: 'CLAIM' }),
  /** Number of submissions of a form, sharded for concurrent writes. */
  formCounter: (organizationId: string, formId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#FORM_COUNTS`,
    sk: `${formId}#${counterShard(shard)}`,
  }),
  /** A lead in the list of leads with one tag. */
  leadTag: (organizationId: string, tag: string, leadId: string): Key => ({
    pk: `${tenant(organizationId)}#LEAD_TAGS`,
    sk: `${inKey(tag)}#${leadId}`,
  }),
  /** Number of leads that have a tag. */
  leadTagCounter: (organizationId: string, tag: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#LEAD_TAG_COUNTS`,
    sk: `${inKey(tag)}#${counterShard(shard)}`,
  }),
  /** In its own partition. An index lists the imports. */
  leadImport: (organizationId: string, importId: string): Key => ({
    pk: leadImport(organizationId, importId),
    sk: 'IMPORT',
  }),
  /** Held by a running import, to limit the number of imports that run at a time. */
  leadImportSlot: (organizationId: string, slot: number): Key => ({
    pk: tenant(organizationId),
    sk: `IMPORT_SLOT#${slot}`,
  }),
  /** Some rows of an import, by the number of the first row. */
  leadImportChunk: (organizationId: string, importId: string, firstRow: number): Key => ({
    pk: leadImport(organizationId, importId),
    sk: `CHUNK#${importRow(firstRow)}`,
  }),
  /** The outcome of one row. It is written together with the row's lead. */
  leadImportRow: (organizationId: string, importId: string, row: number): Key => ({
    pk: leadImport(organizationId, importId),
    sk: `ROW#${importRow(row)}`,
  }),
  /** The erasure of a person's data. */
  erasure: (organizationId: string, erasureId: string): Key => ({
    pk: tenant(organizationId),
    sk: `ERASURE#${erasureId}`,
  }),
  /** Limits a contact or network customer to one erasure at a time. */
  erasureClaim: (organizationId: string, subject: string): Key => ({
    pk: tenant(organizationId),
    sk: `ERASING#${subject}`,
  }),
  /** A record that an erasure removed. The erasure then empties the record's partition. */
  erasedRecord: (organizationId: string, erasureId: string, kind: string, id: string): Key => ({
    pk: tenant(organizationId),
    sk: `ERASED#${erasureId}#${kind}#${id}`,
  }),
};

export const leadRanges = {
  pipelines: (organizationId: string) => beginningWith(tenant(organizationId), 'PIPELINE#'),
  /** A lead and its activities. In descending order: the lead, then the latest activity. */
  leadAndActivities: (organizationId: string, leadId: string): KeyRange => ({
    pk: leadKeys.lead(organizationId, leadId).pk,
    from: 'ACTIVITY#',
    to: 'LEAD',
  }),
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
  leadImportChunks: (
    organizationId: string,
    importId: string,
    fromRow: number,
    toRow: number,
  ): KeyRange => ({
    pk: leadImport(organizationId, importId),
    from: leadKeys.leadImportChunk(organizationId, importId, fromRow).sk,
    to: leadKeys.leadImportChunk(organizationId, importId, toRow).sk,
  }),
  allLeadImportChunks: (organizationId: string, importId: string) =>
    beginningWith(leadImport(organizationId, importId), 'CHUNK#'),
  leadImportRows: (
    organizationId: string,
    importId: string,
    fromRow: number,
    toRow: number,
  ): KeyRange => ({
    pk: leadImport(organizationId, importId),
    from: leadKeys.leadImportRow(organizationId, importId, fromRow).sk,
    to: leadKeys.leadImportRow(organizationId, importId, toRow).sk,
  }),
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
  leadDayCounters: (organizationId: string, from: string, to: string): KeyRange => ({
    pk: leadKeys.facetCounter(organizationId, 'createdOn', '', 0).pk,
    from: `${from}#`,
    to: `${to}#${last}`,
  }),
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
