import { describe, expect, test, vi } from 'vitest';
import { closeTogether, startTogether } from '#scripts/dev/stack/start-together.ts';

describe('startTogether and closeTogether', () => {
  test('returns the parts by name', async () => {
    const part = { close: async () => {}, url: 'http://localhost' };

    expect(await startTogether({ sandbox: Promise.resolve(part) })).toEqual({ sandbox: part });
  });

  test('closes all parts when one fails to start, and rethrows its error', async () => {
    const close = vi.fn(async () => {});
    const started = startTogether({
      good: Promise.resolve({ close }),
      bad: Promise.reject(new Error('Port 8000 is taken')),
    });

    await expect(started).rejects.toThrow('Port 8000 is taken');
    expect(close).toHaveBeenCalledOnce();
  });

  test('closes all parts even if closing one fails', async () => {
    const close = vi.fn(async () => {});

    await closeTogether([{ close: async () => Promise.reject(new Error('stuck')) }, { close }]);

    expect(close).toHaveBeenCalledOnce();
  });
});
