import { depth } from './depth.ts';

const factor = 8;
/** Linear work takes `factor` times as long, quadratic work eight times longer than that. */
const most = factor * 4;
/** The smaller input takes at least this long, so that the clock's precision does not matter. */
const leastMs = depth(2);
const attempts = 4;

/**
 * Returns how many times longer the work takes per byte of an input that is eight times larger:
 * about 1 if the CPU time is proportional to the size, and 8 if it grows with its square. The
 * smaller input takes some milliseconds, and the larger one has at most `maxSize`. Full runs
 * compare larger inputs.
 */
export async function growthOf<Input>(
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
  maxSize: number,
): Promise<number> {
  const largest = maxSize / factor;
  let size = Math.min(largest, 1_024);
  // The first run also compiles the code.
  await cpuMs(inputOf(size), work);
  let small = await cpuMs(inputOf(size), work);
  while (small < leastMs && size < largest) {
    size = Math.min(size * 2, largest);
    small = await cpuMs(inputOf(size), work);
  }
  let large = await cpuMs(inputOf(size * factor), work);
  for (let attempt = 1; attempt < attempts && large > small * most; attempt += 1) {
    small = Math.max(small, await cpuMs(inputOf(size), work));
    large = Math.min(large, await cpuMs(inputOf(size * factor), work));
  }

  return large / Math.max(small, 1) / factor;
}

/** The CPU time of this thread, so that other processes do not count. */
async function cpuMs<Input>(input: Input, work: (input: Input) => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await work(input);
  const { user, system } = process.threadCpuUsage(start);

  return (user + system) / 1_000;
}
