import { currency } from '#lib/features/billing/money.ts';
import type { Balance } from './balance.ts';

export function presentBalance({ credits, debt = 0, updatedAt }: Balance) {
  return { credits, debt, currency, lastUpdated: updatedAt };
}
