import { scaledConcurrency } from '#schemas/contract.ts';
import type { Resources } from './fold-gateway.ts';

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
      Properties.ScalingConfig = { MaximumConcurrency: scaledConcurrency(maximum, percent) };
    }
  }
}
