import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Exchange } from '#scripts/bench/calls/exchange.ts';
import { type ReplayedVendors, replayVendors } from '#scripts/bench/calls/replay-vendors.ts';

let vendors: ReplayedVendors;

beforeEach(async () => {
  vendors = await replayVendors();
});

afterEach(() => vendors.close());

function exchange(operation: string, request: string, response: string): Exchange {
  return { operation, request, response, status: 200, contentType: 'application/json' };
}

async function call(target: string, body: string): Promise<string> {
  const answer = await fetch(vendors.url, {
    method: 'POST',
    headers: { 'x-amz-target': target },
    body,
  });

  return answer.text();
}

test('a known request gets its recorded response, an unknown one the first of its operation', async () => {
  vendors.play([exchange('Get', 'a', 'of a'), exchange('Get', 'b', 'of b')]);

  expect(await call('Get', 'b')).toBe('of b');
  expect(await call('Get', 'never said before')).toBe('of a');
});

test('the last response of an operation is repeated', async () => {
  vendors.play([exchange('Get', 'a', 'of a')]);

  expect(await call('Get', 'a')).toBe('of a');
  expect(await call('Get', 'a')).toBe('of a');
});

test('an unrecorded operation is rejected by name', async () => {
  vendors.play([]);

  expect(await call('Put', 'a')).toBe('No recorded call of Put');
});

test('a queue message is acknowledged with its own digest', async () => {
  vendors.play([exchange('AmazonSQS.SendMessage', '{}', 'old')]);

  const receipt = JSON.parse(await call('AmazonSQS.SendMessage', '{"MessageBody":"hello"}'));

  expect(receipt.MD5OfMessageBody).toBe('5d41402abc4b2a76b9719d911017c592');
});
