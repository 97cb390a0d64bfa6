import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { areaOf, kebabCase } from '#schemas/contract.ts';
import { drainWork } from '#scripts/fixtures/queues.ts';
import type { Driver } from '#scripts/fixtures/world.ts';
import { gatewayEvent, lambdaContext } from './gateway-event.ts';

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** Imports a function's handler from its source. */
export async function loadHandler(folder: string, name: string): Promise<Handler> {
  const { handler } = await import(`../../../functions/${folder}/${name}.ts`);

  return handler;
}

/** Calls the service through its handlers and processes queued work. */
export const driver: Driver = {
  call: async (contract, options) => {
    const handler = await loadHandler(areaOf(contract), kebabCase(contract.operationId));
    const answer = (await handler(gatewayEvent(contract, options), lambdaContext())) as HttpAnswer;
    if (answer.statusCode >= 400) {
      throw new Error(`${contract.operationId} answered ${answer.statusCode}: ${answer.body}`);
    }

    return JSON.parse(answer.body ?? '{}');
  },
  drain: drainWork,
};
