import { availableParallelism, cpus } from 'node:os';

/** Describes the machine, because measurements are meaningless without it. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';

  return `${availableParallelism()} cores (${model}), ${process.platform} ${process.arch}, Node ${process.version}`;
}
