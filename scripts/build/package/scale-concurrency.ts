import type { Resources } from './fold-gateway.ts';

/** The lowest value that Lambda accepts for a queue. */
const minimum = 2;

/**
 * Scales the maximum concurrency of all workers, for stages that share an account or whose account
 * has a low quota.
 */
export function scaleConcurrency(resources: Resources, percent: number): void {
  if (!(percent > 0)) {
    throw new Error(`WORKER_CONCURRENCY_PERCENT must be a positive number, not "${percent}".`);
  }
  for (const { Type, Properties } of Object.values(resources)) {
    const { MaximumConcurrency: maximum } = (Properties?.ScalingConfig ?? {}) as {
      MaximumConcurrency?: number;
    };
    if (Type === 'AWS::Lambda::EventSourceMapping' && maximum !== undefined) {
      const scaled = Math.max(minimum, Math.floor((maximum * percent) / 100));
      Properties.ScalingConfig = { MaximumConcurrency: scaled };
    }
  }
}
