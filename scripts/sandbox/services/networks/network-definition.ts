import type { Platform } from '#schemas/platforms.ts';
import type { SandboxAnswer, SandboxRequest } from '../../frame/service.ts';
import type { NetworkWorld, Person } from './network-world.ts';
import type { TokenRules } from './token-store.ts';

/** A call to a network. `parts` holds the groups that the route's pattern matched. */
export type NetworkCall = {
  readonly world: NetworkWorld;
  readonly request: SandboxRequest;
  readonly parts: readonly string[];
};

export type NetworkRoute = {
  readonly method: string;
  /** Matches the real path, without the network's prefix in the sandbox. */
  readonly path: RegExp;
  /** @throws NetworkRefusal to return an error response from any depth. */
  readonly answer: (call: NetworkCall) => SandboxAnswer | Promise<SandboxAnswer>;
};

export const eventTypes = ['message', 'comment', 'mention'] as const;
export type EventType = (typeof eventTypes)[number];

/** An action of a customer or, for `echo`, of the account itself in the network's own app. */
export type CustomerEvent = {
  readonly userId: string;
  readonly type: EventType;
  readonly text: string;
  readonly from: Person;
  readonly postId?: string | undefined;
  /** The network's id of the event. Reusing an id repeats the same event. */
  readonly eventId?: string | undefined;
  readonly echo: boolean;
};

/** A signed webhook call. */
export type Delivery = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type MadeEvent = {
  readonly eventId: string;
  /** Absent if the network has no webhook for it, so the event must be polled. */
  readonly delivery?: Delivery;
};

/** The outcome of a handshake with the service's callback. */
export type HandshakeOutcome = {
  readonly isAccepted: boolean;
  readonly status: number | null;
  readonly body: string;
};

/** Everything that the sandbox needs to simulate one network. */
export type NetworkDefinition = {
  readonly platform: Platform;
  readonly tokens: TokenRules;
  /** The first match handles the call. */
  readonly routes: readonly NetworkRoute[];
  /** An outage or an error in the network's own format. */
  readonly failure: (status: number, message: string) => SandboxAnswer;
  /** The network's response for an unknown path. */
  readonly unknownPath: (request: SandboxRequest) => SandboxAnswer;
  /** Headers of every response, such as rate limit usage. */
  readonly headers?: (
    world: NetworkWorld,
    request: SandboxRequest,
  ) => Readonly<Record<string, string>>;
  readonly events: {
    /** Other types are rejected. */
    readonly types: readonly EventType[];
    /** Set if the network has no webhooks and events must be polled. */
    readonly isFetched?: boolean;
    /** Applies the event to the network's state and builds the signed webhook call for it. */
    readonly make: (world: NetworkWorld, event: CustomerEvent) => MadeEvent;
  };
  /**
   * Verifies that the service owns the callback. Absent if the network does not verify callbacks.
   */
  readonly handshake?: (
    world: NetworkWorld,
    callbackUrl: string,
    options: { readonly verifyToken?: string | undefined },
  ) => Promise<HandshakeOutcome>;
};

/** An error response in the network's own format. A route may throw it at any depth. */
export class NetworkRefusal extends Error {
  readonly answer: SandboxAnswer;

  constructor(answer: SandboxAnswer) {
    super(`Refused with ${answer.status}`);
    this.name = 'NetworkRefusal';
    this.answer = answer;
  }
}
