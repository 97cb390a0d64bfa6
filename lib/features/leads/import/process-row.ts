import { findContactByEmail } from '#lib/features/leads/contacts/contacts.ts';
import {
  type CreatedWithContact,
  createLeadWithContact,
  leadExists,
} from '#lib/features/leads/create-lead.ts';
import type { StoredItem } from '#lib/platform/db/failures.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { get } from '#lib/platform/db/read.ts';
import { create } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import type { ImportedRow, ImportRecord, PreparedRow, RowReport } from './import-record.ts';

export function reportOf(item: RowReport): RowReport {
  const { row, outcome, leadId, contactId, reason } = item;

  return {
    row,
    outcome,
    leadId: leadId ?? null,
    contactId: contactId ?? null,
    reason: reason ?? null,
  };
}

class RowAlreadyProcessedError extends Error {
  readonly report: RowReport;

  constructor(stored: StoredItem | undefined) {
    super('A row of an import has been done by another call');
    this.report = reportOf(stored as unknown as RowReport);
  }
}

function refused(row: number, reason: string): RowReport {
  return { row, outcome: 'REFUSED', leadId: null, contactId: null, reason };
}

/** Imports a row once. A dry run only predicts the outcome. */
export async function processRow(
  record: ImportRecord,
  { row, details, reason }: PreparedRow,
): Promise<RowReport> {
  if (!details) {
    return refused(row, reason);
  }
  if (record.dryRun) {
    return predictOutcome(record, row, details);
  }
  try {
    return await importLead(record, row, details);
  } catch (failure) {
    if (failure instanceof RowAlreadyProcessedError) {
      return failure.report;
    }
    if (failure instanceof ApiError && failure.statusCode < 500) {
      return refused(row, failure.message);
    }
    throw failure;
  }
}

async function importLead(
  { organizationId, id, targetPipelineId, defaultSource, expiresAtSeconds }: ImportRecord,
  row: number,
  { name, email, phone, company, customFieldsOfContact, ...details }: ImportedRow,
): Promise<RowReport> {
  const claim = leadKeys.leadImportRow(organizationId, id, row);
  const madeOf = ({ lead, contact, outcome }: CreatedWithContact): RowReport => ({
    row,
    outcome,
    leadId: lead.id,
    contactId: contact.id,
    reason: null,
  });
  const made = await createLeadWithContact(
    organizationId,
    { name, email, phone, company, customFields: customFieldsOfContact },
    { ...details, pipelineId: targetPipelineId, source: details.source ?? defaultSource },
    async (created) => [
      create(
        claim,
        { ...madeOf(created), expiresAtSeconds },
        (stored) => new RowAlreadyProcessedError(stored),
      ),
    ],
  );

  return madeOf(made);
}

async function predictOutcome(
  { organizationId, targetPipelineId }: ImportRecord,
  row: number,
  { email }: ImportedRow,
): Promise<RowReport> {
  const contact = await findContactByEmail(organizationId, email);
  if (!contact) {
    return { row, outcome: 'CREATED', leadId: null, contactId: null, reason: null };
  }
  if (await get(leadKeys.leadClaim(organizationId, contact.id, targetPipelineId))) {
    return refused(row, leadExists);
  }

  return { row, outcome: 'MERGED', leadId: null, contactId: contact.id, reason: null };
}
