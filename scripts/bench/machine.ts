import { availableParallelism, cpus } from 'node:os';

/** What the figures were measured on: without it they say nothing. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';

  return `${availableParallelism()} cores (${model}), ${process.platform} ${process.arch}, Node ${process.version}`;
}
