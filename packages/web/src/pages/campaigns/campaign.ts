import type { Campaign } from '../../service.ts';

export type Status = Campaign['status'];
export type MatchType = Campaign['keywords'][number]['matchType'];

export const statusNames: Readonly<Record<Status, string>> = {
  DRAFT: 'Draft',
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  COMPLETED: 'Completed',
  ARCHIVED: 'Archived',
};

export const statusStyles: Readonly<Record<Status, string>> = {
  DRAFT: '',
  ACTIVE: 'success',
  PAUSED: 'warning',
  COMPLETED: '',
  ARCHIVED: '',
};

export const matchNames: Readonly<Record<MatchType, string>> = {
  CONTAINS: 'Contains',
  EXACT: 'Is exactly',
  STARTS_WITH: 'Starts with',
  ENDS_WITH: 'Ends with',
};
