import { counterShards, readPipelineMetrics } from '#lib/features/leads/lead-counters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { absent, allOf, either, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  applied,
  change,
  create,
  type ExtraWrites,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { apiError, requireFound, wrongState } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  planQuotaRelease,
  planQuotaUse,
  quotaExceeded,
  quotaLimit,
} from '#lib/platform/quotas/quotas.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/leads.ts';
import { listPipelines, type Pipeline, requirePipeline, type Stage } from './pipeline.ts';

export type NewStage = Omit<BodyOf<typeof contracts.createStage>, 'order'>;

const defaultStages: readonly NewStage[] = [
  { name: 'New', status: 'NEW' },
  { name: 'Qualified', status: 'QUALIFIED' },
  { name: 'Contacted', status: 'CONTACTED' },
  { name: 'Converted', status: 'CONVERTED' },
  { name: 'Lost', status: 'LOST' },
];

const defaultName = 'Sales Pipeline';

function withOrder(stages: ReadonlyArray<Omit<Stage, 'order'>>): readonly Stage[] {
  return stages.map((stage, index) => ({ ...stage, order: index + 1 }));
}

function newStage({ name, status }: NewStage): Omit<Stage, 'order'> {
  return { id: newId(), name, ...(status ? { status } : {}) };
}

function newPipeline(
  organizationId: string,
  name: string,
  stages: readonly NewStage[],
  isDefault: boolean,
): Pipeline {
  const now = timestamp();

  return {
    pipelineId: newId(),
    organizationId,
    name,
    isDefault,
    stages: withOrder(stages.map(newStage)),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

export function planDefaultPipeline(organizationId: string): readonly Write[] {
  return planPipeline(newPipeline(organizationId, defaultName, defaultStages, true));
}

function planPipeline(pipeline: Pipeline): readonly Write[] {
  const { organizationId, pipelineId } = pipeline;

  return [
    create(leadKeys.pipeline(organizationId, pipelineId), pipeline),
    planQuotaUse(organizationKeys.counter(organizationId, 'PIPELINES'), 'pipelines'),
  ];
}

export async function createPipeline(
  organizationId: string,
  { name, stages }: BodyOf<typeof contracts.createPipeline>,
  extraWrites: ExtraWrites<Pipeline>,
): Promise<Pipeline> {
  const pipeline = newPipeline(organizationId, name, stages ?? defaultStages, false);
  if (pipeline.stages.length > quotaLimit('stages')) {
    throw quotaExceeded('stages');
  }
  await write(...(await extraWrites(pipeline)), ...planPipeline(pipeline));

  return pipeline;
}

function requireStage(pipeline: Pipeline, stageId: string): Stage {
  return requireFound(
    pipeline.stages.find(({ id }) => id === stageId),
    'Stage',
  );
}

function planPipelineChange(pipeline: Pipeline, set: Partial<Pipeline>): Write {
  const { organizationId, pipelineId, version } = pipeline;

  return change(leadKeys.pipeline(organizationId, pipelineId), {
    set: { updatedAt: timestamp(), ...set, version: version + 1 },
    when: equals('version', version),
  });
}

export type PipelinePatch = BodyOf<typeof contracts.updatePipeline>;

/**
 * Renames a pipeline or makes it the default.
 *
 * @throws 404, or 409 if no default pipeline would remain.
 */
export function updatePipeline(
  organizationId: string,
  pipelineId: string,
  { name, isDefault }: PipelinePatch,
): Promise<Pipeline> {
  return retryWhenOvertaken('pipeline', async () => {
    const pipelines = await listPipelines(organizationId);
    const pipeline = requireFound(
      pipelines.find((candidate) => candidate.pipelineId === pipelineId),
      'Pipeline',
    );
    if (isDefault === false && pipeline.isDefault) {
      throw wrongState('Set another pipeline as the default instead', 'DEFAULT');
    }
    const wanted = { name, isDefault };
    if (!changesSomething(pipeline, wanted)) {
      return pipeline;
    }
    const becomesDefault = isDefault === true && !pipeline.isDefault;
    const former = becomesDefault ? pipelines.filter((candidate) => candidate.isDefault) : [];
    const set = {
      ...(name === undefined ? {} : { name }),
      ...(becomesDefault ? { isDefault: true } : {}),
      updatedAt: timestamp(),
    };
    await write(
      planPipelineChange(pipeline, set),
      ...former.map((candidate) => planPipelineChange(candidate, { isDefault: false })),
    );

    return applied(pipeline, set);
  });
}

/** Closes counters, so that no lead can enter the pipeline or stage. Fails if it has leads. */
function planCountersClosed(
  { organizationId, pipelineId }: Pipeline,
  attributes: { readonly counted: string; readonly closed: string },
  onConditionFailed: () => Error,
): readonly Write[] {
  return Array.from({ length: counterShards }, (_, shard) =>
    change(leadKeys.pipelineCounter(organizationId, pipelineId, shard), {
      set: { [attributes.closed]: true },
      when: either(absent(attributes.counted), equals(attributes.counted, 0)),
      orCreate: true,
      onConditionFailed,
    }),
  );
}

function stillHas(what: string, leads: number) {
  return apiError('IN_USE', `${what} still has ${leads} ${leads === 1 ? 'lead' : 'leads'}`, {
    fields: { leadCount: leads },
  });
}

/** @throws 404, or 409 for the default pipeline, or one that has leads or is used by a campaign or form. */
export async function deletePipeline(organizationId: string, pipelineId: string): Promise<void> {
  const key = leadKeys.pipeline(organizationId, pipelineId);
  await retryWhenOvertaken('pipeline', async () => {
    const [pipeline, metrics] = await Promise.all([
      requirePipeline(organizationId, pipelineId),
      readPipelineMetrics(organizationId, pipelineId),
    ]);
    if (pipeline.isDefault) {
      throw wrongState('The default pipeline cannot be deleted', 'DEFAULT');
    }
    if (metrics.total > 0) {
      throw stillHas('Pipeline', metrics.total);
    }
    await write(
      remove(key, {
        when: allOf(
          equals('version', pipeline.version),
          either(absent('usedBy'), equals('usedBy', 0)),
        ),
        onConditionFailed: (stored) =>
          Number(stored?.usedBy ?? 0) > 0
            ? apiError('IN_USE', 'The pipeline is in use by a campaign or form')
            : new ConditionNotMetError(key, stored),
      }),
      ...planCountersClosed(pipeline, { counted: 'total', closed: 'closed' }, () =>
        stillHas('Pipeline', 1),
      ),
      planQuotaRelease(organizationKeys.counter(organizationId, 'PIPELINES')),
    );
  });
}

/** Adds a stage at position `order`, or at the end. */
export function createStage(
  organizationId: string,
  pipelineId: string,
  details: BodyOf<typeof contracts.createStage>,
  extraWrites: ExtraWrites<Stage>,
): Promise<Stage> {
  return retryWhenOvertaken('pipeline', () =>
    tryToCreateStage(organizationId, pipelineId, details, extraWrites),
  );
}

async function tryToCreateStage(
  organizationId: string,
  pipelineId: string,
  { order, ...stage }: BodyOf<typeof contracts.createStage>,
  extraWrites: ExtraWrites<Stage>,
): Promise<Stage> {
  const pipeline = await requirePipeline(organizationId, pipelineId);
  if (pipeline.stages.length >= quotaLimit('stages')) {
    throw quotaExceeded('stages');
  }
  const added = newStage(stage);
  const place = (order ?? pipeline.stages.length + 1) - 1;
  const stages = withOrder(pipeline.stages.toSpliced(place, 0, { ...added, order: 0 }));
  const created = requireStage({ ...pipeline, stages }, added.id);
  await write(...(await extraWrites(created)), planPipelineChange(pipeline, { stages }));

  return created;
}

export type StagePatch = BodyOf<typeof contracts.updateStage>;

/** Updates a stage, and moves it if `order` is given. */
export function updateStage(
  organizationId: string,
  pipelineId: string,
  stageId: string,
  patch: StagePatch,
): Promise<Stage> {
  return retryWhenOvertaken('pipeline', async () => {
    const pipeline = await requirePipeline(organizationId, pipelineId);
    const stage = requireStage(pipeline, stageId);
    const changed: Stage = {
      ...stage,
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.status === undefined ? {} : { status: patch.status }),
    };
    const others = pipeline.stages.filter(({ id }) => id !== stageId);
    const stages = withOrder(others.toSpliced((patch.order ?? stage.order) - 1, 0, changed));
    if (changesSomething(pipeline, { stages })) {
      await write(planPipelineChange(pipeline, { stages }));
    }

    return requireStage({ ...pipeline, stages }, stageId);
  });
}

/** @throws 404, or 409 for the last stage or a stage that has leads. */
export async function deleteStage(
  organizationId: string,
  pipelineId: string,
  stageId: string,
): Promise<void> {
  await retryWhenOvertaken('pipeline', async () => {
    const [pipeline, metrics] = await Promise.all([
      requirePipeline(organizationId, pipelineId),
      readPipelineMetrics(organizationId, pipelineId),
    ]);
    requireStage(pipeline, stageId);
    if (pipeline.stages.length === 1) {
      throw wrongState('A pipeline must have at least one stage', 'LAST');
    }
    const leads = metrics.stages.get(stageId)?.leads ?? 0;
    if (leads > 0) {
      throw stillHas('Stage', leads);
    }
    const stages = withOrder(pipeline.stages.filter(({ id }) => id !== stageId));
    await write(
      planPipelineChange(pipeline, { stages }),
      ...planCountersClosed(
        pipeline,
        { counted: `stage_${stageId}`, closed: `closed_${stageId}` },
        () => stillHas('Stage', 1),
      ),
    );
  });
}
