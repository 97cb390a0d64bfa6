import type { SandboxService, ServiceContext } from '../frame/service.ts';
import { createHooks } from './hooks.ts';
import { createNetworks } from './networks/networks.ts';
import { createOpenai } from './openai.ts';
import { createSecretsManager } from './secrets-manager.ts';
import { createSes } from './ses.ts';
import { createStripe } from './stripe.ts';

/** Every service of the sandbox. The first that a call matches gets it: narrow ones stand first. */
const makers: readonly ((context: ServiceContext) => SandboxService)[] = [
  createSes,
  createOpenai,
  createStripe,
  createSecretsManager,
  createHooks,
];

/** A fresh set of all services. */
export function createServices(context: ServiceContext): readonly SandboxService[] {
  return [...makers.map((make) => make(context)), ...createNetworks(context)];
}
