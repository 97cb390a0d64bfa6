import { planMailsToOwners } from '#lib/features/billing/account/mails-to-owners.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { dollarsOf } from '#lib/features/billing/money.ts';
import { absent, allOf, differs, either, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { refillCapMail } from '#lib/platform/mail/mails.ts';

/**
 * Notifies the owners that the monthly cap stops a refill. Sends one email per month and cap, even
 * with concurrent callers.
 */
export async function notifyCapReached(balance: Balance, month: string): Promise<void> {
  const { organizationId, refillCapCents = 0, refillCapTold } = balance;
  const notice = `${month} ${refillCapCents}`;
  if (refillCapTold === notice) {
    return;
  }
  const mails = await planMailsToOwners(organizationId, (owner) =>
    refillCapMail({ ...owner, month, cap: dollarsOf(refillCapCents) }),
  );
  await writeIfMet(
    change(keys.balance(organizationId), {
      set: { refillCapTold: notice },
      when: allOf(
        either(absent('refillCapTold'), differs('refillCapTold', notice)),
        equals('refillCapCents', refillCapCents),
        equals('refillEnabled', true),
      ),
    }),
    ...mails,
  );
}
