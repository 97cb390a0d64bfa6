import { type Balance, planBalance } from '#lib/features/billing/ledger/balance.ts';
import {
  addCredits,
  BalanceMissingError,
  type LedgerEntry,
  type NewEntry,
  planEntry,
} from '#lib/features/billing/ledger/ledger.ts';
import { planOrganizationExists } from '#lib/features/organizations/organizations.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { above } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { get } from '#lib/platform/db/read.ts';
import { type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { apiError, requireFound } from '#lib/platform/errors/failures.ts';
import { newId, timeOfId } from '#lib/platform/ids.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { adjustPlatformCredits } from '#schemas/operators.ts';

/**
 * Adds or removes credits. Credits that are reserved for replies cannot be removed, so the balance
 * never falls below zero.
 *
 * @throws 404, or 409 if the organization has fewer credits.
 */
export async function adjustCredits(
  organizationId: string,
  { credits, reason }: BodyOf<typeof adjustPlatformCredits>,
  extraWrites: ExtraWrites<LedgerEntry>,
): Promise<LedgerEntry> {
  const entry = { id: newId(), type: 'adjustment', credits, description: reason } as const;
  const written = { ...entry, createdAt: new Date(timeOfId(entry.id)).toISOString() };
  const others = [
    ...(await extraWrites(written)),
    planOrganizationExists(organizationId),
    ...planAudit(organizationId, {
      action: 'billing.credits_adjusted',
      actorId: null,
      details: { credits, reason },
    }),
  ];
  try {
    await move(organizationId, entry, others);
  } catch (failure) {
    if (!(failure instanceof BalanceMissingError)) {
      throw failure;
    }
    // Here, a member created the organization, and billing was never set up.
    await write(planOrganizationExists(organizationId), planBalance(organizationId, 0, {}));
    await move(organizationId, entry, others);
  }

  return written;
}

function move(organizationId: string, entry: NewEntry, others: readonly Write[]): Promise<unknown> {
  return entry.credits > 0
    ? addCredits(organizationId, entry, {}, others)
    : write(
        ...others,
        ...planEntry(organizationId, entry, {
          add: { available: entry.credits },
          when: above('available', -entry.credits - 1),
          onConditionFailed: () =>
            apiError('CREDITS_INSUFFICIENT', 'The organization does not have that many credits'),
        }),
      );
}

/** @throws 404 */
export async function requireBalance(organizationId: string): Promise<Balance> {
  return requireFound(await get<Balance>(billingKeys.balance(organizationId)), 'Organization');
}
