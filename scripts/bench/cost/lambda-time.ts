import { kebabCase } from '#schemas/contract.ts';
import { endpoints, workers } from '#schemas/index.ts';
import type { Golden } from '#scripts/bench/golden/golden.ts';

/** A function's own processing time, and the time of one round trip to DynamoDB. */
export const ownMs = 10;
export const tripMs = 5;
/** Waiting for vendors, by function. */
const waitMs: Readonly<Record<string, number>> = {
  replies: 6_000,
  'content-publishing': 2_000,
  'create-content-post': 2_000,
  'account-snapshot': 500,
};
const defaultMemoryMb = 1_024;

const memories: ReadonlyMap<string, number> = new Map([
  ...endpoints.map(
    ({ operationId, memoryMb }) => [kebabCase(operationId), memoryMb ?? defaultMemoryMb] as const,
  ),
  ...workers.map(({ name, memoryMb }) => [name, memoryMb ?? defaultMemoryMb] as const),
]);

/** Returns the GB-seconds of one call, from its measured round trips. */
export function lambdaSeconds({ functions }: Golden, name: string): number {
  const trips = functions[name]?.trips ?? 0;
  const ms = ownMs + trips * tripMs + (waitMs[name] ?? 0);

  return (ms / 1_000) * ((memories.get(name) ?? defaultMemoryMb) / 1_024);
}
