import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Exchange, operationOf } from '#scripts/bench/calls/exchange.ts';
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

test('the same request gets its own answer, another one the first of its operation', async () => {
  vendors.play([exchange('Get', 'a', 'of a'), exchange('Get', 'b', 'of b')]);

  expect(await call('Get', 'b')).toBe('of b');
  expect(await call('Get', 'never said before')).toBe('of a');
});

test('the last answer of an operation is given as often as it is asked for', async () => {
  vendors.play([exchange('Get', 'a', 'of a')]);

  expect(await call('Get', 'a')).toBe('of a');
  expect(await call('Get', 'a')).toBe('of a');
});

test('what nobody called before is refused by name, and told until the next play', async () => {
  vendors.play([exchange('Get', 'a', 'of a')]);

  expect(await call('Get', 'a')).toBe('of a');
  expect(await call('Put', 'a')).toBe('Nobody called Put before');
  expect(vendors.unanswered()).toEqual(['Put']);

  vendors.play([]);

  expect(vendors.unanswered()).toEqual([]);
});

test('a call whose address has an id is the same with another id', () => {
  const one = operationOf('PUT', '/reports/01a20320-c724-7042-86b8-4f613bdd578c.csv', {});
  const other = operationOf('PUT', '/reports/01a20320-c7be-768a-8865-b8997633c32b.csv', {});

  expect(one).toBe('PUT /reports/{id}.csv');
  expect(other).toBe(one);
});

test('a message to a queue is acknowledged by its own digest', async () => {
  vendors.play([exchange('AmazonSQS.SendMessage', '{}', 'old')]);

  const receipt = JSON.parse(await call('AmazonSQS.SendMessage', '{"MessageBody":"hello"}'));

  expect(receipt.MD5OfMessageBody).toBe('5d41402abc4b2a76b9719d911017c592');
});
