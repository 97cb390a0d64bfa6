import {
  planCreditRelease,
  planCreditReservation,
  planCreditUse,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import { refill } from '#scripts/fixtures/billing-fixtures.ts';
import { ask, newSoloWorld } from '#scripts/fixtures/world.ts';
import { driver } from './driver.ts';

/**
 * An operation that several functions share, measured separately. Creates the required data and
 * returns the operation.
 */
type Part = () => Promise<() => Promise<unknown>>;

/**
 * An organization with a pending automatic reply. Enough credits remain to stay above the
 * low-credit threshold.
 */
async function replying() {
  const world = await newSoloWorld(driver);
  await ask(world, updateAutoRefillSettings, { body: { ...refill, threshold: 10 } });

  return { organizationId: world.organizationId, replyId: newId() };
}

/** The cost of a reply's credits, without the worker that sends it. */
export const parts: Readonly<Record<string, Part>> = {
  'debit, held': async () => {
    const { organizationId, replyId } = await replying();

    return () => write(...planCreditReservation(organizationId, replyId));
  },
  'debit, used': async () => {
    const { organizationId, replyId } = await replying();
    await write(...planCreditReservation(organizationId, replyId));

    return async () => {
      await write(...planCreditUse(organizationId, replyId));
      await refillWhenLow(organizationId);
    };
  },
  'debit, given back': async () => {
    const { organizationId, replyId } = await replying();
    await write(...planCreditReservation(organizationId, replyId));

    return () => write(...planCreditRelease(organizationId, replyId));
  },
};
