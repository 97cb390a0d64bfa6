import type { Html } from './html.ts';

/** A request as it was received. */
export type SandboxRequest = {
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The raw body, for binary content. */
  readonly bytes: Buffer;
  /**
   * Waits for the duration of an active `slow` fault. A service awaits this while it holds
   * resources such as a lock, so that they stay held for the same time.
   */
  readonly pause: () => Promise<void>;
};

/** A response. `unexpected` marks a request that the real service does not support. */
export type SandboxAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly unexpected?: boolean;
};

/** A section of the web page. */
export type PageSection = {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
};

/** A control API route of one service. `path` is matched without the `/_sandbox` prefix. */
export type ControlRoute = {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (
    request: SandboxRequest,
    parts: readonly string[],
  ) => SandboxAnswer | Promise<SandboxAnswer>;
};

/**
 * A stand-in for one external service. It keeps its own state. Faults, the request log and reset
 * are handled by the frame, per service.
 */
export type SandboxService = {
  readonly name: string;
  /**
   * The path prefix of a service whose paths overlap with another service's. The service, the log
   * and the faults see paths without it.
   */
  readonly mount?: string;
  /** True if the request is for this service. Services are tried in registry order. */
  readonly matches: (request: SandboxRequest) => boolean;
  readonly answer: (request: SandboxRequest) => SandboxAnswer | Promise<SandboxAnswer>;
  /** An outage response in the service's own error format. */
  readonly failure: (status: number, message: string) => SandboxAnswer;
  /** Restores the initial state. */
  readonly reset: () => void;
  /** Set if request bodies contain secrets. The web page does not show them. */
  readonly hasSecretBodies?: boolean;
  readonly control: readonly ControlRoute[];
  readonly sections: () => readonly PageSection[];
};

/** The dependencies of a service. */
export type ServiceContext = {
  readonly clock: () => Date;
  /** The initial secrets by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The app's client id at Google. */
  readonly googleClientId: string;
  /** The URL of the service under test, without a trailing slash. Undefined until it is known. */
  readonly serviceUrl: () => string | undefined;
};
