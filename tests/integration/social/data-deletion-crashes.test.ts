import { beforeEach, expect, test } from 'vitest';
import { handler as removalWorker } from '#functions/workers/organization-removal.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { receiveDataDeletion } from '#schemas/social-webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { deliverSigned } from '#tests/support/signed-requests.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup } from '../replies/setup.ts';

waitForNobody();

let worlds: readonly ReplySetup[];

beforeEach(async () => {
  worlds = [replySetup(await newAccount()), replySetup(await newAccount())];
});

const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;

/** Starts to delete a person who wrote to two organizations, and the worker crashes. */
async function start(death: Death) {
  const from = newCustomer();
  for (const world of worlds) {
    const account = await world.account({ platform: 'INSTAGRAM' });
    await world.say(account, { type: 'message', text: 'Hello', from });
  }
  await drainWork();
  const { body } = await deliverSigned(receiveDataDeletion, 'INSTAGRAM', from.id);
  const code: string = body.confirmation_code;
  const [work] = (await storedItems(`DATA_DELETION#${code}`)).filter(({ sk }) =>
    sk.startsWith('OUTBOX#'),
  );
  const key = { pk: work?.pk ?? '', sk: work?.sk ?? '' };
  const lived = await untilDeath(death, () => doWork(removalWorker, key));

  return { ...lived, code, personId: from.id };
}

test('a data deletion is completed wherever its worker crashes', async () => {
  const { writes } = await start(never);
  const deaths = deathsOf(writes, depth(2, Number.POSITIVE_INFINITY));
  const started = [];
  for (const death of deaths) {
    started.push(await start(death));
  }
  await settle();
  await settle();

  expect(writes).toBeGreaterThan(2);
  for (const { hasDied, code, personId } of started) {
    expect(hasDied).toBe(true);
    expect(await query(ranges.customerConversations('INSTAGRAM', personId))).toEqual([]);
    expect(await get<object>(keys.dataDeletion(code))).toMatchObject({ status: 'DONE' });
  }
});
