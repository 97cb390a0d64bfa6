import type { Contract, JobDefinition, WorkerDefinition } from '#schemas/contract.ts';
import { endpoints, jobs, workers } from '#schemas/index.ts';

/** All parts of the service that the schemas declare. */
export type Registry = {
  readonly endpoints: readonly Contract[];
  readonly workers: readonly WorkerDefinition[];
  readonly jobs: readonly JobDefinition[];
};

export const registry: Registry = { endpoints, workers, jobs };
