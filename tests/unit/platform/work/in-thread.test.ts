import { describe, expect, it } from 'vitest';
import { ThreadLimitError } from '#lib/platform/work/in-thread.ts';
import { double, fail, growLarge, RefusedError, sumOfAnswers, takeLong } from './thread-tasks.ts';

describe('a task in a thread', () => {
  it('returns its output, and gets responses from its caller', async () => {
    const lengthOf = async (question: string) => question.length;

    expect(await double(21)).toBe(42);
    expect(await sumOfAnswers(['a', 'ab'], lengthOf)).toBe(3);
  });

  it('passes on rejections and other failures', async () => {
    await expect(fail(true)).rejects.toEqual(new RefusedError('Not for us'));
    await expect(fail(false)).rejects.toThrow(new TypeError('A mistake'));
  });

  it('fails if its caller cannot respond', async () => {
    const failure = new Error('No answer');

    await expect(sumOfAnswers(['a'], () => Promise.reject(failure))).rejects.toBe(failure);
  });

  it.each(['loop', 'search'] as const)('is terminated if it takes too long: %s', async (kind) => {
    await expect(takeLong(kind)).rejects.toEqual(new ThreadLimitError('takeLong took too long'));
  });

  it.each(['objects', 'buffers'] as const)(
    'is terminated if it takes too much memory: %s',
    async (kind) => {
      await expect(growLarge(kind)).rejects.toEqual(
        new ThreadLimitError('growLarge took too much memory'),
      );
    },
  );
});
