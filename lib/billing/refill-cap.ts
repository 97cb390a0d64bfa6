import { absent, allOf, differs, either, equals } from '#lib/db/conditions.ts';
import { keys } from '#lib/db/keys.ts';
import { ConditionNotMet, change, write } from '#lib/db/write.ts';
import { refillCapMail } from '#lib/mail/mails.ts';
import type { Balance } from './balance.ts';
import { planMailsToOwners } from './mails-to-owners.ts';
import { dollarsOf } from './money.ts';

/**
 * Tells the owners that the monthly cap stops a refill: once for a month and a cap, whoever finds
 * it out, and how many do at once.
 */
export async function tellOfCap(balance: Balance, month: string): Promise<void> {
  const { organizationId, refillCapCents = 0, refillCapTold } = balance;
  const told = `${month} ${refillCapCents}`;
  if (refillCapTold === told) {
    return;
  }
  const mails = await planMailsToOwners(organizationId, (owner) =>
    refillCapMail({ ...owner, month, cap: dollarsOf(refillCapCents) }),
  );
  try {
    await write(
      change(keys.balance(organizationId), {
        set: { refillCapTold: told },
        when: allOf(
          either(absent('refillCapTold'), differs('refillCapTold', told)),
          equals('refillCapCents', refillCapCents),
          equals('refillEnabled', true),
        ),
      }),
      ...mails.map((mail) => mail.write),
    );
  } catch (failure) {
    if (failure instanceof ConditionNotMet) {
      return;
    }
    throw failure;
  }
  await Promise.all(mails.map(({ dispatch }) => dispatch()));
}
