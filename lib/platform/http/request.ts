import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import type { Alongside } from '#lib/platform/db/write.ts';
import type { AccessTokenClaims } from '#lib/platform/identity/access-token.ts';
import type { Identity, Membership, Session } from '#lib/platform/identity/identity.ts';
import type { Role } from '#schemas/contract.ts';

export type Content = { query: unknown; body: unknown };

/** What one request gathers on its way through the stack. It travels on the event. */
export type RequestState = {
  readonly requestId: string;
  readonly beganAtTicksMs: number;
  readonly clientIp: string;
  readonly userAgent: string;
  /** Headers and cookies that the answer will carry. */
  readonly replyHeaders: Record<string, string>;
  readonly replyCookies: string[];
  claims?: AccessTokenClaims;
  /** On its way while other checks are made. */
  identity?: Promise<Identity>;
  session?: Session;
  membership?: Membership;
  input: { params: unknown } & Content;
  /** Query and body being checked, where what they name is read ahead. */
  content?: Promise<Content>;
  /** Reads that were made before it was known whether they are allowed. */
  ahead?: Promise<void>;
  /** The first answer to a request that was sent again. */
  replay?: HttpAnswer;
  /** Bookkeeping that runs beside the request. */
  activity?: Promise<void>;
  claim?: RequestClaim;
  intent?: Intent | undefined;
  once?: Once;
};

/** The idempotency record that a request holds, with what it had come to when it was taken. */
export type RequestClaim = { readonly fingerprint: string; readonly result: unknown };

/** What all requests under one `Idempotency-Key` ask for together, and others each by itself. */
export type Intent = {
  /** What is made for it bears this id, so that it is found where it was made before. */
  readonly id: string;
  /** A request under the key was begun before, and did not get to an answer that is kept. */
  readonly isRepeated: boolean;
};

/**
 * Does something once for all requests under one `Idempotency-Key`: what it has come to is kept by
 * what is written `alongside`, and a repetition is given that instead.
 */
export type Once = <Result>(
  act: (alongside: Alongside<unknown>) => Promise<Result>,
) => Promise<Result>;

export type HttpEvent = APIGatewayProxyEventV2 & { state: RequestState };

export type HttpAnswer = APIGatewayProxyStructuredResultV2 & { statusCode: number };

/** What middlewares are given. */
export type HttpRequest = {
  event: HttpEvent;
  context: Context;
  response?: HttpAnswer;
  error?: unknown;
};

export type Middleware = {
  readonly before?: (request: HttpRequest) => Promise<void> | void;
  readonly after?: (request: HttpRequest) => Promise<void> | void;
  readonly onError?: (request: HttpRequest) => Promise<void> | void;
};

export type Caller = {
  readonly userId: string;
  readonly sessionId: string;
  readonly session: Session;
};

export type Tenant = { readonly organizationId: string; readonly role: Role };
