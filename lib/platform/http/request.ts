import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import type { ExtraWrites } from '#lib/platform/db/write.ts';
import type { AccessTokenClaims } from '#lib/platform/identity/access-token.ts';
import type { ApiKey, Identity, Membership, Session } from '#lib/platform/identity/identity.ts';
import type { Role } from '#schemas/contract.ts';

export type RequestContent = { query: unknown; body: unknown };

export type RequestState = {
  readonly requestId: string;
  readonly beganAtTicksMs: number;
  readonly clientIp: string;
  readonly userAgent: string;
  /** Headers and cookies to add to the response. */
  readonly replyHeaders: Record<string, string>;
  readonly replyCookies: string[];
  /** The verified session token. Absent for an API key. */
  claims?: AccessTokenClaims;
  /** Loads in parallel with other checks. */
  identity?: Promise<Identity>;
  session?: Session;
  apiKey?: ApiKey;
  operatorKeyId?: string;
  membership?: Membership;
  input: { params: unknown } & RequestContent;
  /** The bytes of the body as sent, if the contract has a body. */
  rawBody?: Buffer;
  /** Warnings about probable mistakes, such as fields that the operation does not have. */
  warnings?: readonly string[];
  /** True if the response is the contract's `created`, with status 201. */
  isCreated?: boolean;
  /** The stored response to a repeated request. */
  replay?: HttpAnswer;
  /** Bookkeeping that runs in parallel with the request. */
  activity?: Promise<void>;
  /** The size of the response. It may be too large to send. */
  answerBytes?: number;
  /** Writes to the counters of request limits. They never fail. */
  readonly counting: Promise<unknown>[];
  claim?: RequestClaim;
  intent?: Intent | undefined;
  idempotently?: Idempotently;
};

/**
 * The request's idempotency record, and the result that it already contained when it was claimed.
 */
export type RequestClaim = { readonly fingerprint: string; readonly result: unknown };

/** The identity of a request. All requests with the same `Idempotency-Key` share it. */
export type Intent = {
  /** Becomes the id of the created resource, so that a repeated request finds it. */
  readonly id: string;
  /** True if an earlier request with this key did not end with a stored response. */
  readonly isRepeated: boolean;
};

/**
 * Runs an action once for all requests with the same `Idempotency-Key`. Its `extraWrites` store the
 * result, which repeated requests return.
 */
export type Idempotently = <Result>(
  act: (extraWrites: ExtraWrites<unknown>) => Promise<Result>,
) => Promise<Result>;

export type HttpEvent = APIGatewayProxyEventV2 & { state: RequestState };

export type HttpAnswer = APIGatewayProxyStructuredResultV2 & { statusCode: number };

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
  /** The signed-in user, or the creator of the API key. */
  readonly userId: string;
  /** Absent for people. */
  readonly apiKey?: ApiKey;
  /** Absent for API keys. */
  readonly sessionId?: string;
  readonly session?: Session;
};

export type SignedInCaller = {
  readonly userId: string;
  readonly sessionId: string;
  readonly session: Session;
};

/** Returns the caller's id for limits and idempotency records. */
export function callerIdOf({ apiKey, operatorKeyId, claims }: RequestState): string | undefined {
  return operatorKeyId ? `operator ${operatorKeyId}` : (apiKey?.apiKeyId ?? claims?.userId);
}

export type Tenant = { readonly organizationId: string; readonly role: Role };

/** Returns the field `warnings` of a JSON response, if there are any. */
export function warningsOf({ state: { warnings = [] } }: HttpEvent): {
  readonly warnings?: readonly string[];
} {
  return warnings.length > 0 ? { warnings } : {};
}
