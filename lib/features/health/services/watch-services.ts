import { checkServices } from './check-services.ts';

/**
 * Asks all dependencies, which opens and closes incidents, so that they are told of although nobody
 * looks. Returns what is down.
 */
export async function watchServices(): Promise<readonly string[]> {
  const { results } = await checkServices();

  return Object.entries(results)
    .filter(([, { status }]) => status === 'outage')
    .map(([name]) => name);
}
