import { kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { createLiveTicket } from '#schemas/live.ts';
import type { DeployedFunction } from '#scripts/build/generate/deployed-functions.ts';
import { measuredCall } from '#scripts/fixtures/fixtures.ts';
import { takeWork } from '#scripts/fixtures/queues.ts';
import { workFixtures } from '#scripts/fixtures/work-fixtures.ts';
import { ask, newSoloWorld } from '#scripts/fixtures/world.ts';
import { driver } from './driver.ts';
import { gatewayEvent } from './gateway-event.ts';

/** Creates the records that a usual call of a function needs, and returns the function's event. */
export async function eventOf({ name, event }: DeployedFunction): Promise<unknown> {
  switch (event.kind) {
    case 'route':
      return requestOf(name);
    case 'otherRoutes':
      return gatewayEvent({ method: 'GET', path: '/nowhere' });
    case 'connections':
      return connection();
    case 'queue':
      return messageFor(name);
    case 'schedule':
      // Without a fixture, nothing is due, as in most runs.
      await workFixtures[name]?.(await newSoloWorld(driver));

      return {};
  }
}

async function requestOf(name: string): Promise<unknown> {
  const contract = endpoints.find(({ operationId }) => kebabCase(operationId) === name);
  if (!contract) {
    throw new Error('no contract');
  }

  return gatewayEvent(contract, await measuredCall(contract, await newSoloWorld(driver)));
}

async function connection(): Promise<unknown> {
  const { ticket } = await ask(await newSoloWorld(driver), createLiveTicket);

  return {
    requestContext: { eventType: 'CONNECT', connectionId: 'connection-1' },
    queryStringParameters: { ticket },
  };
}

async function messageFor(worker: string): Promise<unknown> {
  const fixture = workFixtures[worker];
  if (!fixture) {
    throw new Error('no work: add a fixture in scripts/fixtures/work-fixtures.ts');
  }
  await fixture(await newSoloWorld(driver));

  return takeWork(worker);
}
