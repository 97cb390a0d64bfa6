import type { Platform } from '#schemas/platforms.ts';
import type { SandboxAnswer, SandboxRequest } from '../../frame/service.ts';
import type { NetworkWorld, Person } from './network-world.ts';
import type { TokenRules } from './token-store.ts';

/** A call to a network, with what its route's pattern found in the path. */
export type NetworkCall = {
  readonly world: NetworkWorld;
  readonly request: SandboxRequest;
  readonly parts: readonly string[];
};

export type NetworkRoute = {
  readonly method: string;
  /** Of the real path: without the network's folder in the sandbox. */
  readonly path: RegExp;
  /** @throws NetworkRefusal instead of a refusal that is passed on by hand. */
  readonly answer: (call: NetworkCall) => SandboxAnswer | Promise<SandboxAnswer>;
};

export const eventTypes = ['message', 'comment', 'mention'] as const;
export type EventType = (typeof eventTypes)[number];

/** Something that a customer does, or for `echo` the account itself in the network's own app. */
export type CustomerEvent = {
  readonly userId: string;
  readonly type: EventType;
  readonly text: string;
  readonly from: Person;
  readonly postId?: string | undefined;
  /** The network's id of what is told; the same id again is the same event. */
  readonly eventId?: string | undefined;
  readonly echo: boolean;
};

/** A webhook call, signed. */
export type Delivery = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type CreatedEvent = {
  readonly eventId: string;
  /** Absent where the network does not push: the event waits to be fetched. */
  readonly delivery?: Delivery;
};

/** How a handshake with the service's callback ended. */
export type HandshakeOutcome = {
  readonly isAccepted: boolean;
  readonly status: number | null;
  readonly body: string;
};

/** One network: all that the sandbox has to know of it. */
export type NetworkDefinition = {
  readonly platform: Platform;
  readonly tokens: TokenRules;
  /** The first that fits answers. */
  readonly routes: readonly NetworkRoute[];
  /** An outage or a refusal in the network's own format. */
  readonly failure: (status: number, message: string) => SandboxAnswer;
  /** What the network answers to a path that it does not have. */
  readonly unknownPath: (request: SandboxRequest) => SandboxAnswer;
  /** Headers of every answer, such as how much of a limit is used. */
  readonly headers?: (
    world: NetworkWorld,
    request: SandboxRequest,
  ) => Readonly<Record<string, string>>;
  readonly events: {
    /** The others are refused. */
    readonly types: readonly EventType[];
    /** The network tells nobody: what has happened waits to be fetched. */
    readonly isPolled?: boolean;
    /** Lets it happen, and makes what the network sends of it, in its format and signed. */
    readonly create: (world: NetworkWorld, event: CustomerEvent) => CreatedEvent;
  };
  /** Asks the callback for proof that it is the service's; absent where the network does not. */
  readonly performHandshake?: (
    world: NetworkWorld,
    callbackUrl: string,
    options: { readonly verifyToken?: string | undefined },
  ) => Promise<HandshakeOutcome>;
};

/** A refusal in the network's own format: thrown anywhere in a route, it is the answer. */
export class NetworkRejection extends Error {
  readonly answer: SandboxAnswer;

  constructor(answer: SandboxAnswer) {
    super(`Refused with ${answer.status}`);
    this.name = 'NetworkRejection';
    this.answer = answer;
  }
}
