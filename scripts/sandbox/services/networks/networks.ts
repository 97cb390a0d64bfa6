import type { SandboxService, ServiceContext } from '../../frame/service.ts';
import { facebook } from './facebook/service.ts';
import { instagram } from './instagram/service.ts';
import { linkedin } from './linkedin/service.ts';
import type { NetworkDefinition } from './network-definition.ts';
import { createNetwork, type RunningNetwork } from './network-service.ts';
import { networkSections } from './networks-page.ts';
import { tiktok } from './tiktok/service.ts';
import { twitter } from './x/service.ts';
import { youtube } from './youtube/service.ts';

/** Every network of the sandbox. */
const definitions: readonly NetworkDefinition[] = [
  facebook,
  instagram,
  tiktok,
  twitter,
  linkedin,
  youtube,
];

/** Creates a new set of all networks. The first network's section shows all of them. */
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
