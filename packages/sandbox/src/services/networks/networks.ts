import type { SandboxService, ServiceContext } from '../../frame/service.ts';
import { service as facebook } from './facebook/service.ts';
import { service as instagram } from './instagram/service.ts';
import { service as linkedin } from './linkedin/service.ts';
import type { NetworkDefinition } from './network-definition.ts';
import { createNetwork, type RunningNetwork } from './network-service.ts';
import { networkSections } from './networks-page.ts';
import { service as tiktok } from './tiktok/service.ts';
import { service as x } from './x/service.ts';
import { service as youtube } from './youtube/service.ts';

/** All networks of the sandbox. */
const definitions: readonly NetworkDefinition[] = [
  facebook,
  instagram,
  tiktok,
  x,
  linkedin,
  youtube,
];

/** Creates all networks. The page shows their sections together, below the first network. */
export function createNetworks(context: ServiceContext): readonly SandboxService[] {
  const running: RunningNetwork[] = [];

  for (const definition of definitions) {
    const isFirst = running.length === 0;
    running.push(
      createNetwork(definition, context, () => (isFirst ? networkSections(running) : [])),
    );
  }

  return running.map(({ service }) => service);
}
