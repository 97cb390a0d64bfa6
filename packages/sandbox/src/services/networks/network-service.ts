import { decodePart } from '../../frame/http.ts';
import type {
  PageSection,
  SandboxAnswer,
  SandboxRequest,
  SandboxService,
  ServiceContext,
} from '../../frame/service.ts';
import { networkControl } from './network-control.ts';
import { type NetworkDefinition, NetworkRejectionError } from './network-definition.ts';
import { createNetworkWorld, type NetworkWorld } from './network-world.ts';

export type RunningNetwork = {
  readonly service: SandboxService;
  /** A reset replaces the world. */
  readonly world: () => NetworkWorld;
};

/** Creates a network. Its paths begin with the platform in lowercase. */
export function createNetwork(
  definition: NetworkDefinition,
  context: ServiceContext,
  sections: () => readonly PageSection[],
): RunningNetwork {
  const name = definition.platform.toLowerCase();
  const fresh = () => createNetworkWorld(definition.platform, definition.tokens, context);
  let world = fresh();

  return {
    world: () => world,
    service: {
      name,
      mount: `/${name}`,
      matches: () => true,
      answer: (request) => answerCall(definition, world, request),
      failure: definition.failure,
      reset: () => {
        world = fresh();
      },
      control: networkControl(definition, () => world),
      sections,
    },
  };
}

async function answerCall(
  definition: NetworkDefinition,
  world: NetworkWorld,
  request: SandboxRequest,
): Promise<SandboxAnswer> {
  const answer = await answerOf(definition, world, request);

  return { ...answer, headers: { ...definition.headers?.(world, request), ...answer.headers } };
}

async function answerOf(
  definition: NetworkDefinition,
  world: NetworkWorld,
  request: SandboxRequest,
): Promise<SandboxAnswer> {
  const file = world.files.get(/^\/_files\/([^/]+)$/.exec(request.path)?.[1] ?? '');

  if (file !== undefined) {
    return {
      status: 200,
      headers: { 'content-type': file.contentType, 'content-length': String(file.bytes) },
      body: 'x'.repeat(file.bytes),
    };
  }

  for (const route of definition.routes) {
    const parts = route.method === request.method ? route.path.exec(request.path) : null;

    if (parts !== null) {
      return orRejection(() =>
        route.answer({ world, request, parts: parts.slice(1).map(decodePart) }),
      );
    }
  }

  return { ...definition.unknownPath(request), unexpected: true };
}

async function orRejection(
  answer: () => SandboxAnswer | Promise<SandboxAnswer>,
): Promise<SandboxAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof NetworkRejectionError) {
      return error.answer;
    }

    throw error;
  }
}
