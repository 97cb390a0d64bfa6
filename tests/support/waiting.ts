import { createRequire, syncBuiltinESMExports } from 'node:module';

type Timers = { setTimeout: (ms: number, ...rest: never[]) => Promise<unknown> };

const timers: Timers = createRequire(import.meta.url)('node:timers/promises');

/**
 * Measures how long an action waits for timers, in milliseconds, without any other time. Unlike a
 * duration, this does not depend on the load of the machine. The action can ask how long it has
 * waited so far.
 */
export async function measureWaits<T>(
  act: (waitedMs: () => number) => Promise<T>,
): Promise<{ readonly result: T; readonly waitedMs: number }> {
  let nowMs = 0;
  const usual = {
    setTimeout: globalThis.setTimeout,
    timeout: AbortSignal.timeout,
    wait: timers.setTimeout,
  };
  /** Starts a timer. The returned function advances the time to its end. */
  const start = (ms: number) => {
    const endMs = nowMs + ms;

    return () => {
      nowMs = Math.max(nowMs, endMs);
    };
  };
  globalThis.setTimeout = Object.assign(
    (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const end = start(ms);

      return usual.setTimeout(() => {
        end();
        callback(...args);
      }, ms);
    },
    usual.setTimeout,
  );
  AbortSignal.timeout = (ms) => {
    const signal = usual.timeout.call(AbortSignal, ms);
    signal.addEventListener('abort', start(ms));

    return signal;
  };
  timers.setTimeout = async (ms, ...rest) => {
    const end = start(ms);
    const result = await usual.wait(ms, ...rest);
    end();

    return result;
  };
  syncBuiltinESMExports();
  try {
    const result = await act(() => nowMs);

    return { result, waitedMs: nowMs };
  } finally {
    globalThis.setTimeout = usual.setTimeout;
    AbortSignal.timeout = usual.timeout;
    timers.setTimeout = usual.wait;
    syncBuiltinESMExports();
  }
}
