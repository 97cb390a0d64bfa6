import { describe, expect, it } from 'vitest';
import { listOf } from '#lib/platform/db/lists/shards.ts';

describe('listOf', () => {
  it('never moves a stored record to another of the four shards', () => {
    const ids = ['000000', '000001', '000002', '000003', '000004', 'ffffff'];

    expect(ids.map((end) => listOf('lead', `0192f0c1-7b5a-7c3e-9d2f-3a5b8c${end}`))).toEqual([
      'lead#0',
      'lead#1',
      'lead#2',
      'lead#3',
      'lead#0',
      'lead#3',
    ]);
  });
});
