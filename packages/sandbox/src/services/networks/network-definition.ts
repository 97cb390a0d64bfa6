import type * as z from 'zod';
import type { SandboxAnswer, SandboxRequest } from '../../frame/service.ts';
import type { Platform } from '../../platforms.ts';
import type { NetworkWorld, Person, SandboxButton, SandboxPost } from './network-world.ts';
import type { TokenRules, TokenStore } from './token-store.ts';

/** A call to a network, with the path parameters of its route. */
export type NetworkCall = {
  readonly world: NetworkWorld;
  readonly request: SandboxRequest;
  readonly parts: readonly string[];
};

export type NetworkRoute = {
  readonly method: string;
  /** Matches the network's real path, without the prefix of the sandbox. */
  readonly path: RegExp;
  /** @throws NetworkRejection to answer with an error. */
  readonly answer: (call: NetworkCall) => SandboxAnswer | Promise<SandboxAnswer>;
};

export const eventTypes = ['message', 'comment', 'mention'] as const;
export type EventType = (typeof eventTypes)[number];

/** `announce`: the network sends the id of a new message without its content. */
export const eventActions = ['send', 'edit', 'withdraw', 'announce'] as const;
export type EventAction = (typeof eventActions)[number];

export const fileKinds = [
  'image',
  'video',
  'audio',
  'file',
  'sticker',
  /** The account's story that a message replies to. */
  'story',
  /** A customer's story that mentions the account. */
  'storyMention',
  'share',
  'reel',
] as const;

/** A file of a private message. The sandbox serves it if the event names no URL. */
export type EventFile = {
  readonly id: string;
  readonly kind: (typeof fileKinds)[number];
  readonly url: string;
};

/** An action of a customer. With `echo`, an action of the account in the network's own app. */
export type CustomerEvent = {
  readonly userId: string;
  readonly type: EventType;
  readonly text: string;
  readonly from: Person;
  readonly postId?: string | undefined;
  /** The network's id of the event. The same id means the same event. */
  readonly eventId?: string | undefined;
  readonly echo: boolean;
  readonly attachments: readonly EventFile[];
  /** The network's own time of the event, ISO 8601. */
  readonly at: string;
  readonly action: EventAction;
  /** The delivery does not name the customer. */
  readonly isAnonymous: boolean;
  /** The post that the customer reposts, with or without a comment. */
  readonly repostOf?: string | undefined;
  readonly quoteOf?: string | undefined;
};

/** A customer taps a button under a message. The account or another app created the button. */
export type Tap = {
  readonly userId: string;
  readonly from: Person;
  readonly button: Pick<SandboxButton, 'label' | 'reply'>;
  /** The network's id of the event. The same id means the same event. */
  readonly eventId?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
};

/** A signed webhook request. */
export type Delivery = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type CreatedEvent = {
  readonly eventId: string;
  /** Absent if the network does not push events. */
  readonly delivery?: Delivery;
};

/** The form of a lead ad that somebody submitted. */
export type LeadAdForm = {
  readonly userId: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly leadgenId?: string | undefined;
  readonly formId?: string | undefined;
  readonly adId?: string | undefined;
};

/** The result of a handshake with the service's callback. */
export type HandshakeOutcome = {
  readonly isAccepted: boolean;
  readonly status: number | null;
  readonly body: string;
};

/** Settings of the service's app or project at the network. */
export type NetworkSettings = {
  readonly schema: z.ZodType<Readonly<Record<string, unknown>>>;
  readonly apply: (world: NetworkWorld, settings: Readonly<Record<string, unknown>>) => void;
};

/** The definition of a simulated network. */
export type NetworkDefinition = {
  /** Returns the id of the event that a comment caused. Absent if it equals the comment's id. */
  readonly eventIdOf?: (world: NetworkWorld, commentId: string) => string | undefined;
  readonly platform: Platform;
  readonly tokens: TokenRules;
  /** People manage pages, organizations or channels. Otherwise, each person has one account. */
  readonly managesAccounts: boolean;
  /** Tokens of a second app, which identifies accounts by different ids. */
  readonly messaging?: {
    readonly tokens: (world: NetworkWorld) => TokenStore;
    readonly openIdOf: (userId: string) => string;
  };
  /** The first matching route answers. */
  readonly routes: readonly NetworkRoute[];
  /** Signs a request about a person who removed the app, or wants their data deleted. */
  readonly signRequest?: (world: NetworkWorld, personId: string, issuedAt: Date) => string;
  /** Submits the form of a lead ad. Absent if the network has no lead ads. */
  readonly submitLeadAd?: (world: NetworkWorld, form: LeadAdForm) => CreatedEvent;
  /** Creates a failure in the network's own format. */
  readonly failure: (status: number, message: string) => SandboxAnswer;
  /** The response to an unknown path. */
  readonly unknownPath: (request: SandboxRequest) => SandboxAnswer;
  /** Headers of every response, such as rate limits. */
  readonly headers?: (
    world: NetworkWorld,
    request: SandboxRequest,
  ) => Readonly<Record<string, string>>;
  readonly events: {
    /** All other types are rejected. */
    readonly types: readonly EventType[];
    /** The kinds of files that private messages can contain. */
    readonly files?: readonly EventFile['kind'][];
    /** The events that the network sends for changes of a message or comment. */
    readonly changes?: Readonly<
      Partial<Record<Exclude<EventAction, 'send'>, readonly EventType[]>>
    >;
    /** The network has reposts or quotes. */
    readonly hasReposts?: boolean;
    /** The network does not push events. The service polls them. */
    readonly isPolled?: boolean;
    /** Applies the event and creates the network's signed delivery. */
    readonly create: (world: NetworkWorld, event: CustomerEvent) => CreatedEvent;
    /** Absent if the network's messages have no buttons. */
    readonly createTap?: (world: NetworkWorld, tap: Tap) => CreatedEvent;
  };
  /** Posts that are created at the network itself. */
  readonly posts: {
    readonly identify: (
      world: NetworkWorld,
      userId: string,
    ) => { readonly id: string; readonly url: string };
    /** Stores the network's additional data of a post, when its text is set. */
    readonly keep?: (world: NetworkWorld, post: SandboxPost) => void;
    /** The network reports the age and gender of a post's viewers. */
    readonly hasDemographics?: boolean;
  };
  readonly settings?: NetworkSettings;
  /** Verifies the callback URL. Absent if the network has no handshake. */
  readonly performHandshake?: (
    world: NetworkWorld,
    callbackUrl: string,
    options: { readonly verifyToken?: string | undefined },
  ) => Promise<HandshakeOutcome>;
};

/** An error response in the network's own format. Routes throw it to answer with it. */
export class NetworkRejectionError extends Error {
  readonly answer: SandboxAnswer;

  constructor(answer: SandboxAnswer) {
    super(`Rejected with ${answer.status}`);
    this.name = 'NetworkRejectionError';
    this.answer = answer;
  }
}
