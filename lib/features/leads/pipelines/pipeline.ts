import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { badRequest, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import type { LeadStatus } from '#schemas/leads.ts';

export type Stage = {
  readonly id: string;
  readonly name: string;
  readonly order: number;
  /** The status that a lead gets when it is moved to this stage. */
  readonly status?: LeadStatus | null;
};

export type Pipeline = {
  readonly pipelineId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** Sorted by `order`. */
  readonly stages: readonly Stage[];
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Returns all pipelines of an organization, newest first. */
export function listPipelines(organizationId: string): Promise<readonly Pipeline[]> {
  return query<Pipeline>(leadRanges.pipelines(organizationId), { newestFirst: true });
}

/** @throws 404 */
export async function requirePipeline(
  organizationId: string,
  pipelineId: string,
): Promise<Pipeline> {
  return requireFound(
    await get<Pipeline>(leadKeys.pipeline(organizationId, pipelineId)),
    'Pipeline',
  );
}

/** Returns the requested pipeline, or the default one. @throws 404 */
export async function requirePipelineOrDefault(
  organizationId: string,
  pipelineId: string | undefined,
): Promise<Pipeline> {
  if (pipelineId) {
    return requirePipeline(organizationId, pipelineId);
  }

  return requireFound(
    (await listPipelines(organizationId)).find(({ isDefault }) => isDefault),
    'Pipeline',
  );
}

/**
 * Counts how many campaigns and forms use a pipeline, in the transaction that references it. A pipeline in
 * use cannot be deleted, and a deleted one cannot be referenced.
 */
export function planPipelineUse(organizationId: string, pipelineId: string, amount: 1 | -1): Write {
  return change(leadKeys.pipeline(organizationId, pipelineId), {
    add: { usedBy: amount },
    onConditionFailed: () => notFound('Pipeline'),
  });
}

export function presentPipeline(pipeline: Pipeline) {
  return { ...pipeline, id: pipeline.pipelineId };
}

/** Returns the stage that new leads start in. */
export function firstStage({ stages }: Pipeline): Stage {
  const [first] = stages;
  if (!first) {
    throw new Error('A pipeline has no stages');
  }

  return first;
}

/** @throws 400 for a stage of another pipeline. */
export function requireOwnStage(pipeline: Pipeline, stageId: string): Stage {
  const stage = pipeline.stages.find(({ id }) => id === stageId);
  if (!stage) {
    throw badRequest("stageId must be a stage in the lead's pipeline");
  }

  return stage;
}
