import { describe, expect, test, vi } from 'vitest';
import { closeTogether, startTogether } from '#scripts/dev/stack/start-together.ts';

describe('parts that start together', () => {
  test('come back by their names', async () => {
    const part = { close: async () => {}, url: 'http://localhost' };

    expect(await startTogether({ sandbox: Promise.resolve(part) })).toEqual({ sandbox: part });
  });

  test('are all ended when one of them fails, and its failure is told', async () => {
    const close = vi.fn(async () => {});
    const started = startTogether({
      good: Promise.resolve({ close }),
      bad: Promise.reject(new Error('Port 8000 is taken')),
    });

    await expect(started).rejects.toThrow('Port 8000 is taken');
    expect(close).toHaveBeenCalledOnce();
  });

  test('are all ended when ending one of them fails', async () => {
    const close = vi.fn(async () => {});

    await closeTogether([{ close: async () => Promise.reject(new Error('stuck')) }, { close }]);

    expect(close).toHaveBeenCalledOnce();
  });
});
