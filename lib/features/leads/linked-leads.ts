import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import { listPipelines, type Pipeline } from '#lib/features/leads/pipelines/pipeline.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import type { IndexRow } from '#lib/platform/db/lists/sharded-list.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { fieldsFor } from './custom-values.ts';
import type { Lead } from './lead.ts';
import { type LinkedAccount, type LinkedPost, presentLinkedLead } from './linked-lead.ts';

function linkKeys(organizationId: string, ids: IndexRow | Lead): readonly Key[] {
  const { contactId, socialAccountId, contentPostId } = ids;

  return [
    ...(typeof contactId === 'string' ? [leadKeys.contact(organizationId, contactId)] : []),
    ...(typeof socialAccountId === 'string'
      ? [socialKeys.socialAccount(organizationId, socialAccountId)]
      : []),
    ...(typeof contentPostId === 'string'
      ? [contentKeys.contentPost(organizationId, contentPostId)]
      : []),
  ];
}

type Items = ReadonlyMap<string, object>;

function itemAt<T>(items: Items, key: Key | undefined): T | undefined {
  return key ? (items.get(`${key.pk}/${key.sk}`) as T | undefined) : undefined;
}

async function readItems(wanted: readonly Key[]): Promise<Items> {
  const found = await getMany<object>(wanted);

  return new Map(found.flatMap((item) => (item ? [[`${item.pk}/${item.sk}`, item] as const] : [])));
}

function linksOf(organizationId: string, lead: Lead, items: Items) {
  const { contactId, socialAccountId, contentPostId } = lead;

  return {
    contact: itemAt<Contact>(items, leadKeys.contact(organizationId, contactId)),
    account: itemAt<LinkedAccount>(
      items,
      socialAccountId ? socialKeys.socialAccount(organizationId, socialAccountId) : undefined,
    ),
    post: itemAt<LinkedPost>(
      items,
      contentPostId ? contentKeys.contentPost(organizationId, contentPostId) : undefined,
    ),
  };
}

/** Reads the leads of index rows with their linked records, in one round trip. */
export async function readLinkedLeads(
  organizationId: string,
  rows: readonly IndexRow[],
  reading: Promise<readonly Pipeline[]>,
) {
  const [items, pipelines] = await Promise.all([
    readItems(
      rows.flatMap((row) => [
        leadKeys.lead(organizationId, row.id),
        ...linkKeys(organizationId, row),
      ]),
    ),
    reading,
  ]);

  const leads = rows.flatMap(
    ({ id }) => itemAt<Lead>(items, leadKeys.lead(organizationId, id)) ?? [],
  );
  const fields = await fieldsFor(
    organizationId,
    leads.map(({ customValues }) => customValues),
  );

  return leads.map((lead) => {
    const pipeline = pipelines.find(({ pipelineId }) => pipelineId === lead.pipelineId);

    return presentLinkedLead(lead, { ...linksOf(organizationId, lead, items), pipeline, fields });
  });
}

export async function linkLead(organizationId: string, lead: Lead) {
  const [items, pipelines, fields] = await Promise.all([
    readItems(linkKeys(organizationId, lead)),
    listPipelines(organizationId),
    fieldsFor(organizationId, [lead.customValues]),
  ]);
  const pipeline = pipelines.find(({ pipelineId }) => pipelineId === lead.pipelineId);

  return presentLinkedLead(lead, { ...linksOf(organizationId, lead, items), pipeline, fields });
}
