import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { keys } from '#lib/db/keys.ts';
import { get } from '#lib/db/read.ts';
import { change, discard, write } from '#lib/db/write.ts';
import { planCommentsPoll } from '#lib/social/intake/poll-comments.ts';
import { disconnectedAccount } from '#lib/social/settle-disconnection.ts';
import type { OutboxItem } from '#lib/work/outbox.ts';
import { disconnectSocialAccount } from '#schemas/social.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { callInProcess, runInProcess } from '#tests/support/doomed-call.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { storedItems } from '#tests/support/table.ts';

/** The client's own limit is longer. */
const heldBackMs = 60_000;

let proxy: DynamoDbProxy;
let ada: Account;

beforeAll(async () => {
  proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
  ada = await newAccount();
});
afterEach(() => {
  proxy.faults.clear();
  vi.unstubAllEnvs();
});
afterAll(() => proxy.close());

/** Holds the next write of a kind back, until it is let go on. */
function holdBack(operation: 'TransactWriteItems' | 'DeleteItem') {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  const fault = { kind: 'delay', when: 'before', delayMs: heldBackMs, until } as const;
  proxy.faults.add({ operation, nth: 1, fault });
  const reached = () =>
    vi.waitFor(() => expect(proxy.faults.hits()).toHaveLength(1), { timeout: 15_000, interval: 5 });

  return { reached, goOn };
}

test('an account whose token is renewed while it is disconnected ends with the new one', async () => {
  const { organizationId, token } = ada;
  const account = await storeSocialAccount(organizationId);
  const key = keys.socialAccount(organizationId, account.id);
  const { reached, goOn } = holdBack('TransactWriteItems');
  const params = { account_id: account.id };
  const call = await callInProcess(disconnectSocialAccount, { token, params }, proxy.endpoint);
  await reached();
  await write(change(key, { set: { accessToken: 'sealed anew', tokenVersion: 2 } }));
  goOn();

  expect(await call.answer).toMatchObject({ statusCode: 200 });
  expect(await get(key)).toBeUndefined();
  const { pk } = keys.socialAccountClaim(account.platform, account.platformUserId);
  const [work] = (await storedItems(pk)) as unknown as readonly OutboxItem[];
  expect(disconnectedAccount({ payload: work?.payload ?? '' })).toMatchObject({
    accessToken: 'sealed anew',
    tokenVersion: 2,
  });
});

test('an account that is connected again while its former place among the polled is given up keeps the new one', async () => {
  const account = await storeSocialAccount(ada.organizationId, { platform: 'YOUTUBE' });
  await write(...planCommentsPoll(account));
  await write(discard(keys.socialAccount(ada.organizationId, account.id)));
  const { reached, goOn } = holdBack('DeleteItem');
  vi.stubEnv('REMAINING_MS', '240000');
  const job = await runInProcess('jobs/comments-poll', {}, proxy.endpoint);
  await reached();
  const key = keys.commentsPoll(ada.organizationId, account.id);
  await write(discard(key));
  await write(...planCommentsPoll(account));
  goOn();
  await job.answer;

  expect(await get(key)).toMatchObject({ accountId: account.id });
});
