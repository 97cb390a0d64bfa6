import * as z from 'zod';
import { type Contract, openToAll } from '#schemas/contract.ts';
import type { Registry } from '#scripts/build/generate/registry.ts';

type Size = { readonly endpoints: number; readonly workers: number; readonly jobs: number };

/** The areas whose functions serverless.yml includes. */
const builtAreas = [
  'auth',
  'organizations',
  'billing',
  'health',
  'leads',
  'social',
  'content',
  'media',
  'ai',
  'bio',
  'debug',
  'campaigns',
  'app',
  'mcp',
  'platform',
] as const;

/** Workers whose queues are listed in roles of serverless.yml. */
const namedWorkers = ['mail-delivery', 'outbound-webhooks'] as const;

/** Returns a registry of the given size, with identical endpoints spread over all areas. */
export function fixtureRegistry(size: Size): Registry {
  return {
    endpoints: numbers(size.endpoints).map(
      (number): Contract => ({
        operationId: `readFixtureNumber${number}`,
        area: builtAreas[number % builtAreas.length] ?? 'auth',
        method: 'GET',
        path: `/fixtures/{organization_id}/kind-${number}/{fixture_id}`,
        summary: `Read the fixture with the number ${number}`,
        access: openToAll,
        response: z.object({}),
      }),
    ),
    workers: numbers(size.workers).map((number) => ({
      name: namedWorkers[number - 2] ?? `fixture-worker-${number}`,
      description: `Works off what fixture ${number} left.`,
      timeoutSeconds: 30,
      batchSize: 5,
      maxReceiveCount: 5,
    })),
    jobs: numbers(size.jobs).map((number) => ({
      name: `fixture-job-${number}`,
      description: `Runs for fixture ${number}.`,
      schedule: 'rate(5 minutes)',
      timeoutSeconds: 60,
    })),
  };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
