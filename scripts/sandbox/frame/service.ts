import type { Html } from './html.ts';

/** A call as it came in over the wire. */
export type SandboxRequest = {
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The same body as it came, for what is no text. */
  readonly bytes: Buffer;
  /**
   * Waits for as long as a `slow` fault asks, and not at all without one. A service awaits it
   * where its work takes time, so that whatever it holds meanwhile (a lock) is held for as long.
   */
  readonly pause: () => Promise<void>;
};

/** What goes back. `unexpected` marks a call that the real service does not know. */
export type SandboxAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly unexpected?: boolean;
};

/** One part of the page for people. */
export type PageSection = {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
};

/** A call of the control API that belongs to one service; `path` stands after `/_sandbox`. */
export type ControlRoute = {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (
    request: SandboxRequest,
    parts: readonly string[],
  ) => SandboxAnswer | Promise<SandboxAnswer>;
};

/**
 * A stand-in for one outside service. It keeps its own state; faults, the request log and reset
 * come from the frame and work for each service by itself.
 */
export type SandboxService = {
  readonly name: string;
  /**
   * The folder that it answers in, for a service whose paths another one has too. The service, the
   * log and the faults see paths without it.
   */
  readonly mount?: string;
  /** Whether a call is meant for this service. Services are asked in the registry's order. */
  readonly matches: (request: SandboxRequest) => boolean;
  readonly answer: (request: SandboxRequest) => SandboxAnswer | Promise<SandboxAnswer>;
  /** An outage in the service's own error format. */
  readonly failure: (status: number, message: string) => SandboxAnswer;
  /** Back to the state that it started with. */
  readonly reset: () => void;
  /** Its calls carry secrets: the page for people does not show their bodies. */
  readonly hasSecretBodies?: boolean;
  readonly control: readonly ControlRoute[];
  readonly sections: () => readonly PageSection[];
};

/** What a service is made with. */
export type ServiceContext = {
  readonly clock: () => Date;
  /** Secrets that are there from the start, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where the service that is tested answers, once somebody has said so; no slash at the end. */
  readonly serviceUrl: () => string | undefined;
};
