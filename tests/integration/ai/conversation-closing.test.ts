import { describe, expect, it } from 'vitest';
import { handler as closeAll } from '#functions/jobs/conversation-closing.ts';
import {
  counted,
  readConversationCount,
} from '#lib/features/conversations/conversation-counters.ts';
import {
  pauseConversation as pauseByHand,
  rateConversation as rateByHand,
  requireConversation,
} from '#lib/features/conversations/conversations.ts';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { lambdaContext } from '#tests/support/api.ts';

describe('a conversation', () => {
  it('is closed after thirty days without messages, unless people have it', async () => {
    const { organizationId } = await newAccount();
    const [silent, lively, taken] = await Promise.all(
      Array.from({ length: 3 }, () => storeConversation(organizationId)),
    );
    const ids = [silent, lively, taken].map((one) => one?.id ?? '');
    const statuses = async () => {
      const shown = ids.map((id) => requireConversation(organizationId, id));

      return (await Promise.all(shown)).map(({ status }) => status);
    };
    const runAfter = async (days: number) => {
      setClock(() => Date.now() + days * dayMs);
      await closeAll(undefined, lambdaContext(240_000));
    };
    await pauseByHand(organizationId, ids[2] ?? '', noExtraWrites);

    await runAfter(20);
    setClock(() => Date.now() + 20 * dayMs);
    await rateByHand(organizationId, ids[1] ?? '', 5, noExtraWrites);
    await runAfter(29);
    expect(await statuses()).toEqual(['OPEN', 'OPEN', 'PAUSED']);
    await runAfter(31);
    expect(await statuses()).toEqual(['CLOSED', 'OPEN', 'PAUSED']);
    await runAfter(51);
    await runAfter(100);
    expect(await statuses()).toEqual(['CLOSED', 'CLOSED', 'PAUSED']);
    const count = (name: string) => readConversationCount(organizationId, counted.all, name);
    expect(await Promise.all(['status_OPEN', 'status_CLOSED'].map(count))).toEqual([0, 2]);
  });
});
