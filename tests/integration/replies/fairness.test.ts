import type { SendMessageCommandInput } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import { client } from '#lib/platform/queue/queue.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { drainWork } from '#tests/support/work.ts';
import { newCustomer, replySetup } from './setup.ts';

test('replies are sent to the queue in the group of their organization, for SQS fair queues', async () => {
  const owner = await newAccount();
  const world = replySetup(owner);
  const account = await world.account();
  await world.agent();
  await world.say(account, { type: 'message', text: 'Hello', from: newCustomer() });
  const send = vi.spyOn(client, 'send');
  await drainWork('inbound-events');
  await drainWork('reply-planning');

  const sent = send.mock.calls.map(([{ input }]) => input as SendMessageCommandInput);
  expect(sent.filter(({ QueueUrl = '' }) => QueueUrl.endsWith('-replies'))).toMatchObject([
    { MessageGroupId: owner.organizationId },
  ]);
});
