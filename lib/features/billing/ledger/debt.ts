import { above, allOf } from '#lib/platform/db/conditions.ts';
import { type Write, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { type Balance, clearedMarks } from './balance.ts';
import { type BalanceChange, DebtChangedError, owes, planEntry } from './ledger.ts';

type Split = Required<Pick<BalanceChange, 'set' | 'when' | 'onConditionFailed'>> & {
  /** Credits of the ledger entry: negative if credits are taken. */
  readonly credits: number;
};

/**
 * Takes credits that may already have been used. Missing credits become debt. A negative amount
 * returns credits, and reduces the debt first. Does not touch credits that are reserved for pending
 * replies.
 */
export function splitBetweenCreditsAndDebt(balance: Balance, taken: number): Split {
  const { available, debt = 0 } = balance;
  const owed = debt + taken;
  const paid = Math.min(owed, available + debt);
  const isPaidOut = above('available', paid - debt - 1);

  return {
    credits: 0 - paid,
    set: {
      debt: owed - paid || null,
      ...(paid < 0 ? clearedMarks : {}),
    },
    when: paid > 0 ? allOf(owes(debt), isPaidOut) : owes(debt),
    onConditionFailed: (stored) => new DebtChangedError(stored),
  };
}

/**
 * Repays debt with credits that became free after the debt arose, for example because a reply was
 * not sent. Does nothing if the balance has changed since it was read.
 */
export async function repayDebt(balance: Balance): Promise<void> {
  const { available, debt = 0 } = balance;
  if (debt === 0 || available + debt <= 0) {
    return;
  }
  try {
    await write(...planRepayment(balance));
  } catch (failure) {
    if (!(failure instanceof DebtChangedError)) {
      throw failure;
    }
  }
}

function planRepayment(balance: Balance): readonly Write[] {
  const { credits, ...change } = splitBetweenCreditsAndDebt(balance, 0);
  const entry = {
    id: newId(),
    type: 'adjustment',
    credits,
    description: 'Repayment of debt',
    isReversal: true,
  } as const;

  return planEntry(balance.organizationId, entry, change);
}
