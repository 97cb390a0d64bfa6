import type { SandboxService, ServiceContext } from '../frame/service.ts';
import { createFiles } from './files.ts';
import { createGoogle } from './google.ts';
import { createHooks } from './hooks.ts';
import { createLive } from './live.ts';
import { createNetworks } from './networks/networks.ts';
import { createOpenai } from './openai.ts';
import { createSecretsManager } from './secrets-manager.ts';
import { createSes } from './ses.ts';
import { createStripe } from './stripe.ts';

/**
 * Every service of the sandbox. The first match handles the request, so narrow matchers come first.
 */
const factories: readonly ((context: ServiceContext) => SandboxService)[] = [
  createSes,
  createOpenai,
  createStripe,
  createSecretsManager,
  createHooks,
  createFiles,
  createGoogle,
  createLive,
];

/** Creates a new set of all services. */
export function createServices(context: ServiceContext): readonly SandboxService[] {
  return [...factories.map((create) => create(context)), ...createNetworks(context)];
}
