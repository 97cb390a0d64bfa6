import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkInThread } from '#lib/features/media/processing/media-thread.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { ThreadLimitError } from '#lib/platform/work/in-thread.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('checkInThread', () => {
  it('stops checking a file after 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const read = async () => {
      vi.advanceTimersByTime(30 * secondMs);

      return Buffer.from('text');
    };

    await expect(checkInThread({ bytes: 4, read })).rejects.toThrow(ThreadLimitError);
  });
});
