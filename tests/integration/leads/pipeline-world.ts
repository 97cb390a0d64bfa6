import { createPipeline } from '#schemas/leads.ts';
import { leadWorld } from './world.ts';

export type PipelineWorld = Awaited<ReturnType<typeof pipelineWorld>>;

/** Creates an organization with more pipelines than the default one. */
export async function pipelineWorld() {
  const world = await leadWorld();

  async function newPipeline(body: Readonly<Record<string, unknown>> = { name: 'Partners' }) {
    return (await world.ask(createPipeline, { body })).body.pipeline;
  }

  return { ...world, newPipeline };
}
