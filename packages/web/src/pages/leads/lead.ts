import type { GetLeadResponse, Lead, LeadStatus } from '../../service.ts';

/** A lead as its page shows it. */
export type DetailedLead = GetLeadResponse['lead'];

export const statusNames: Readonly<Record<LeadStatus, string>> = {
  NEW: 'New',
  QUALIFIED: 'Qualified',
  CONTACTED: 'Contacted',
  CONVERTED: 'Converted',
  LOST: 'Lost',
};

export const statusStyles: Readonly<Record<LeadStatus, string>> = {
  NEW: '',
  QUALIFIED: '',
  CONTACTED: '',
  CONVERTED: 'success',
  LOST: 'danger',
};

export function nameOf({ contact }: Pick<Lead, 'contact'>): string {
  return contact?.name ?? 'Deleted contact';
}
