import { describe, expect, it } from 'vitest';
import { rank } from '#lib/features/knowledge/find-passages.ts';
import { decodePassages, encodePassages } from '#lib/features/knowledge/passage-file.ts';
import type { Source } from '#lib/features/knowledge/source.ts';

const source: Source = {
  id: 's',
  organizationId: 'o',
  type: 'TEXT',
  name: 'Hours',
  status: 'READY',
  chunkCount: 1,
  revision: 1,
  version: 1,
  createdAt: '',
  updatedAt: '',
};
const model = 'text-embedding-3-small';

function unit(...values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);

  return Float32Array.from(values, (value) => value / length);
}

function loaded(texts: readonly string[], vectors: readonly Float32Array[], by = model) {
  return { source, passages: decodePassages(encodePassages(by, texts, vectors)) };
}

describe('rank', () => {
  it('returns the passages with the highest cosines, best first', () => {
    const first = loaded(['a', 'b – ü'], [unit(1, 0), unit(1, 2)]);
    const second = loaded(['c', 'd'], [unit(0, 1), unit(-1, 0)]);

    expect(rank([first, second], unit(0, 1), 2)).toMatchObject([
      { text: 'c', score: 1, source: { id: 's', name: 'Hours' } },
      { text: 'b – ü', score: expect.closeTo(0.8944) },
    ]);
  });

  it('leaves out passages of another model or length', () => {
    const others = [
      loaded(['a'], [unit(0, 1)], 'other'),
      loaded(['b'], [unit(0, 1, 0)]),
      loaded(['c'], [unit(1, 2)]),
    ];

    expect(rank(others, unit(0, 1), 9).map(({ text }) => text)).toEqual(['c']);
  });

  it('compares 5,000 passages in less than 50 ms of a processor', () => {
    const vectors = Array.from({ length: 5_000 }, (_, seed) =>
      unit(...Array.from({ length: 512 }, (__, index) => Math.sin(seed * 512 + index))),
    );
    const all = loaded(
      vectors.map((_, index) => `passage ${index}`),
      vectors,
    );
    const [question = unit(1)] = vectors;
    rank([all], question, 50);
    const times = Array.from({ length: 9 }, () => {
      const { user: before } = process.threadCpuUsage();
      rank([all], question, 50);

      return (process.threadCpuUsage().user - before) / 1_000;
    });

    expect(times.toSorted((one, other) => one - other)[4]).toBeLessThan(50);
  });
});
