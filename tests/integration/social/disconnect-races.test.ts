import { expect, test } from 'vitest';
import { handler as pollComments } from '#functions/jobs/comments-poll.ts';
import { planCommentsPoll } from '#lib/features/social/connection/comments-poll.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import type { OutboxItem } from '#lib/platform/work/outbox.ts';
import { disconnectSocialAccount } from '#schemas/social.ts';
import { accountDisconnectedWork } from '#schemas/work-payloads.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { overtake } from '#tests/support/overtake.ts';
import { storedItems } from '#tests/support/table.ts';

const ada = await newAccount();

test('disconnecting an account uses its new token when it is refreshed concurrently', async () => {
  const { organizationId, token } = ada;
  const account = await storeSocialAccount(organizationId);
  const key = keys.socialAccount(organizationId, account.id);
  const params = { account_id: account.id };
  const { answer } = await overtake(
    { begin: () => call(disconnectSocialAccount, { token, params }) },
    () => write(change(key, { set: { accessToken: 'sealed anew', tokenVersion: 2 } })),
  );

  expect(answer).toMatchObject({ status: 200 });
  expect(await get(key)).toBeUndefined();
  const { pk } = keys.socialAccountClaim(account.platform, account.platformUserId);
  const [work] = (await storedItems(pk)) as unknown as readonly OutboxItem[];
  expect(accountDisconnectedWork.parse(work?.payload)).toMatchObject({
    accessToken: 'sealed anew',
    tokenVersion: 2,
  });
});

test('an account that is reconnected while the old one is removed keeps its new polling entry', async () => {
  const account = await storeSocialAccount(ada.organizationId, { platform: 'YOUTUBE' });
  await write(...planCommentsPoll(account));
  await write(discard(keys.socialAccount(ada.organizationId, account.id)));
  const key = keys.commentsPoll(ada.organizationId, account.id);
  await overtake(
    {
      begin: () => pollComments(undefined, lambdaContext(240_000)),
      operation: 'Delete',
    },
    async () => {
      await write(discard(key));
      await write(...planCommentsPoll(account));
    },
  );

  expect(await get(key)).toMatchObject({ accountId: account.id });
});
