import { describe, expect, test } from 'vitest';
import { createFaultSchedule, type FaultRule } from '#scripts/dynamodb-proxy/fault-schedule.ts';

const fault = { kind: 'error', when: 'before' } as const;

function strikes(seed: number, rules: readonly FaultRule[], calls: number): readonly number[] {
  const schedule = createFaultSchedule(seed);
  rules.forEach(schedule.add);

  return Array.from({ length: calls }, () => schedule.next('PutItem', ['p/s']).length);
}

describe('createFaultSchedule', () => {
  test('applies a rule to every matching request until it ends', () => {
    const schedule = createFaultSchedule(1);
    const end = schedule.add({ fault });
    expect(schedule.next('PutItem', ['p/s'])).toEqual([fault]);

    end();

    expect(schedule.next('PutItem', ['p/s'])).toEqual([]);
    expect(schedule.hits()).toEqual([{ operation: 'PutItem', keys: ['p/s'], fault }]);
  });

  test.each<[string, Omit<FaultRule, 'fault'>, readonly number[]]>([
    ['only the third request', { nth: 3 }, [0, 0, 1, 0, 0]],
    ['two requests from the second on', { nth: 2, times: 2 }, [0, 1, 1, 0, 0]],
    ['the first two requests', { times: 2 }, [1, 1, 0, 0, 0]],
    ['no request of another operation', { operation: ['GetItem', 'Query'] }, [0, 0, 0, 0, 0]],
    ['keys with the prefix', { keyPrefix: 'p/' }, [1, 1, 1, 1, 1]],
    ['no keys without the prefix', { keyPrefix: 'q' }, [0, 0, 0, 0, 0]],
  ])('applies a rule to %s', (_name, rule, expected) => {
    expect(strikes(1, [{ ...rule, fault }], 5)).toEqual(expected);
  });

  test('causes only faults that DynamoDB can cause for the operation', () => {
    const schedule = createFaultSchedule(1);
    schedule.add({ fault: { kind: 'conflict', when: 'before' } });
    schedule.add({ fault: { kind: 'page', size: 1 } });

    expect(schedule.next('GetItem', [])).toEqual([]);
    expect(schedule.next('DescribeTable', [])).toEqual([]);
    expect(schedule.next('Query', [])).toEqual([{ kind: 'page', size: 1 }]);
    expect(schedule.next('UpdateItem', [])).toEqual([{ kind: 'conflict', when: 'before' }]);
  });
});

describe('createFaultSchedule with a probability', () => {
  const rule = { probability: 0.3, fault };

  test('affects the same requests for the same seed', () => {
    expect(strikes(7, [rule], 200)).toEqual(strikes(7, [rule], 200));
  });

  test('affects other requests for another seed', () => {
    expect(strikes(7, [rule], 200)).not.toEqual(strikes(8, [rule], 200));
  });

  test('affects the expected share of requests', () => {
    const count = strikes(7, [rule], 2_000).filter((struck) => struck === 1).length;

    expect(count).toBeGreaterThan(540);
    expect(count).toBeLessThan(660);
  });

  test('keeps the random draws of a rule when another rule is added', () => {
    const never = { operation: 'Scan', probability: 0.5, fault };

    expect(strikes(7, [rule, never], 200)).toEqual(strikes(7, [rule], 200));
  });
});
