import { describe, expect, test } from 'vitest';
import { createFaultSchedule, type FaultRule } from '#scripts/dynamodb-proxy/fault-schedule.ts';

const fault = { kind: 'error', when: 'before' } as const;

function strikes(seed: number, rules: readonly FaultRule[], calls: number): readonly number[] {
  const schedule = createFaultSchedule(seed);
  rules.forEach(schedule.add);

  return Array.from({ length: calls }, () => schedule.next('PutItem', ['p/s']).length);
}

describe('a rule', () => {
  test('it strikes every matching request until it is ended', () => {
    const schedule = createFaultSchedule(1);
    const end = schedule.add({ fault });
    expect(schedule.next('PutItem', ['p/s'])).toEqual([fault]);

    end();

    expect(schedule.next('PutItem', ['p/s'])).toEqual([]);
    expect(schedule.hits()).toEqual([{ operation: 'PutItem', keys: ['p/s'], fault }]);
  });

  test.each<[string, Omit<FaultRule, 'fault'>, readonly number[]]>([
    ['the third request alone', { nth: 3 }, [0, 0, 1, 0, 0]],
    ['two from the second on', { nth: 2, times: 2 }, [0, 1, 1, 0, 0]],
    ['the first two', { times: 2 }, [1, 1, 0, 0, 0]],
    ['another operation', { operation: ['GetItem', 'Query'] }, [0, 0, 0, 0, 0]],
    ['keys of that start', { keyPrefix: 'p/' }, [1, 1, 1, 1, 1]],
    ['keys of another start', { keyPrefix: 'q' }, [0, 0, 0, 0, 0]],
  ])('it can strike %s', (_name, rule, expected) => {
    expect(strikes(1, [{ ...rule, fault }], 5)).toEqual(expected);
  });

  test('it does to an operation only what DynamoDB can do to it', () => {
    const schedule = createFaultSchedule(1);
    schedule.add({ fault: { kind: 'conflict', when: 'before' } });
    schedule.add({ fault: { kind: 'page', size: 1 } });

    expect(schedule.next('GetItem', [])).toEqual([]);
    expect(schedule.next('DescribeTable', [])).toEqual([]);
    expect(schedule.next('Query', [])).toEqual([{ kind: 'page', size: 1 }]);
    expect(schedule.next('UpdateItem', [])).toEqual([{ kind: 'conflict', when: 'before' }]);
  });
});

describe('a probability', () => {
  const rule = { probability: 0.3, fault };

  test('the same seed strikes the same requests', () => {
    expect(strikes(7, [rule], 200)).toEqual(strikes(7, [rule], 200));
  });

  test('another seed strikes others', () => {
    expect(strikes(7, [rule], 200)).not.toEqual(strikes(8, [rule], 200));
  });

  test('about that share is struck', () => {
    const count = strikes(7, [rule], 2_000).filter((struck) => struck === 1).length;

    expect(count).toBeGreaterThan(540);
    expect(count).toBeLessThan(660);
  });

  test('a second rule does not shift the draws of the first', () => {
    const never = { operation: 'Scan', probability: 0.5, fault };

    expect(strikes(7, [rule, never], 200)).toEqual(strikes(7, [rule], 200));
  });
});
