import { performance } from 'node:perf_hooks';

/**
 * Calls `expire` when the process has been idle for this long. Time for computations, such as
 * hashing passwords, is not counted, because a response may be waiting to be read.
 *
 * @returns a function that cancels the deadline.
 */
export function startIdleDeadline(limitMs: number, expire: () => void): () => void {
  const start = performance.eventLoopUtilization();
  const check = () => {
    const { idle } = performance.eventLoopUtilization(start);
    if (idle >= limitMs) {
      expire();
    } else {
      timer = setTimeout(check, limitMs - idle);
    }
  };
  let timer = setTimeout(check, limitMs);

  return () => clearTimeout(timer);
}
