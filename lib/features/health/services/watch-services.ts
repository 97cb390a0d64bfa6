import { checkServices } from './check-services.ts';

/**
 * Checks all dependencies on a schedule, so that incidents open and close without health requests.
 *
 * @returns the services that are down.
 */
export async function watchServices(): Promise<readonly string[]> {
  const { results } = await checkServices();

  return Object.entries(results)
    .filter(([, { status }]) => status === 'outage')
    .map(([name]) => name);
}
