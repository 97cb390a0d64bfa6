import type { ErrorKind } from './errors.ts';
import type { RateLimitName } from './rate-limits.ts';
import type * as z from './zod.ts';

export const roles = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

export const areas = [
  'auth',
  'organizations',
  'billing',
  'health',
  'leads',
  'campaigns',
  'content',
  'media',
  'bio',
  'social',
  'ai',
  'debug',
  'docs',
] as const;
export type Area = (typeof areas)[number];

/** Who may call an endpoint. `organization` is the source of the tenant. */
export type Access =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'user';
      /** Accepts `X-Organization-Id`, which must name an organization that the caller belongs to. */
      readonly organization?: 'optional';
      readonly peopleOnly?: true;
    }
  | {
      readonly kind: 'member';
      readonly organization: 'path' | 'current';
      readonly lowestRole: Role;
      /** The message of the 403 for a role below `lowestRole`. */
      readonly refusal: string;
      readonly unless?: { readonly setting: OrganizationSwitch; readonly lowestRole: Role };
      /** API keys are rejected: the endpoint concerns a person, or spends money. */
      readonly peopleOnly?: true;
    };

/** The message of the 403 for an API key at an endpoint with `peopleOnly`. */
export const peopleOnlyMessage = 'This endpoint needs a signed-in user';

/** Organization settings that allow a lower role. */
export type OrganizationSwitch = 'allowMemberInvites';

/** Requires a session or an API key, and no organization. */
export const signedIn = { kind: 'user' } as const satisfies Access;
/** Requires a session and no organization. */
export const signedInPerson = peopleOnly(signedIn);
/** Requires a session. The result depends on the current organization, if there is one. */
export const signedInAnywhere = {
  kind: 'user',
  organization: 'optional',
  peopleOnly: true,
} as const satisfies Access;
export const openToAll = { kind: 'public' } as const satisfies Access;

/** Requires membership in the organization in the path, with at least `lowestRole`. */
export function memberOfPath<const R extends Role>(
  lowestRole: R,
  refusal = 'Insufficient permissions for this operation',
) {
  return { kind: 'member', organization: 'path', lowestRole, refusal } as const satisfies Access;
}

/** Requires membership in the current organization, with at least `lowestRole`. */
export function memberOfCurrent<const R extends Role>(
  lowestRole: R,
  refusal = 'Insufficient permissions for this operation',
) {
  return { kind: 'member', organization: 'current', lowestRole, refusal } as const satisfies Access;
}

/** Rejects API keys. */
export function peopleOnly<const A extends Exclude<Access, { kind: 'public' }>>(access: A) {
  return { ...access, peopleOnly: true as const };
}

/** Lambda timeout of endpoints that do not set one. */
export const defaultTimeoutSeconds = 20;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An error with a message specific to this operation. */
export type OwnRefusal = {
  readonly kind: ErrorKind;
  /** When this happens, as a sentence. */
  readonly when: string;
  /** A list for an invalid field. */
  readonly message: string | readonly string[];
  /** Additional body fields. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

/**
 * Declares an endpoint. It is the only source of handler types, validation, authorization, the
 * egress filter, the entry in `functions.yml`, the OpenAPI document and the generated tests.
 */
export type Contract<
  A extends Access = Access,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Payload extends z.ZodObject = z.ZodObject,
> = {
  /** camelCase. The file and function names are its kebab-case form. */
  readonly operationId: string;
  readonly area: Area;
  readonly method: Method;
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The payload, without `success` and `message`, which are added to it. */
  readonly response?: Payload;
  /** The `message` of a successful response. */
  readonly message?: string;
  readonly status?: 200 | 201 | 302;
  /** A second success, with status 201, which the operation selects with `reply.created()`. */
  readonly created?: { readonly response: z.ZodObject; readonly message: string };
  /**
   * `success` adds `success: true` to the payload, `bare` does not. With `raw`, the handler builds
   * the response (a page, a file, a redirect) and `response` only describes it.
   */
  readonly envelope?: 'success' | 'bare' | 'raw';
  readonly contentType?: string;
  /** 500 and 503 responses use the health error format instead of the common one. */
  readonly failures?: 'health';
  /** Errors in addition to those implied by access, input and rate limits. */
  readonly errors?: readonly (ErrorKind | OwnRefusal)[];
  readonly rateLimit?: RateLimitName;
  /** Rate limits that the handler checks itself, listed here for the document and headers. */
  readonly countedInHandler?: readonly RateLimitName[];
  /** Whether `Idempotency-Key` is supported. POST only, true by default. */
  readonly idempotent?: boolean;
  /** Not part of the API specification. */
  readonly extension?: boolean;
  readonly timeoutSeconds?: number;
  readonly memoryMb?: number;
  /** Files that the function reads at run time, relative to the project root. */
  readonly assets?: readonly string[];
  /** The IAM role of the function. Default: `read` for GET, otherwise `api`. */
  readonly role?: EndpointRole;
  /** Whether the function needs the catalog of plans and call prices in its environment. */
  readonly usesPlans?: boolean;
  /** Whether the function needs the address of the WebSocket API in its environment. */
  readonly usesWebsocket?: boolean;
};

/** The roles of endpoints in serverless.yml. */
export type EndpointRole =
  | 'read'
  | 'api'
  | 'sender'
  | 'fileSender'
  | 'health'
  | 'static'
  | 'files'
  | 'upload';

export type ReadonlyDeep<T> = T extends object
  ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
  : T;

export type BodyOf<C extends { readonly body: z.ZodObject }> = ReadonlyDeep<z.output<C['body']>>;

export type QueryOf<C extends { readonly query: z.ZodObject }> = ReadonlyDeep<z.output<C['query']>>;

export type FiltersOf<C extends { readonly query: z.ZodObject }> = Omit<
  QueryOf<C>,
  'page' | 'limit' | 'cursor'
>;

/** The memory with which Lambda assigns one full processor. Hashing a password needs it. */
export const fullProcessorMb = 1_769;

/** Declares an endpoint and preserves its literal types. */
export function contract<const Definition extends Contract>(definition: Definition): Definition {
  return definition;
}

/** A function that consumes its own queue. */
export type WorkerDefinition = {
  /** kebab-case name of the file in functions/workers, the function and the queue. */
  readonly name: string;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly batchSize: number;
  /** Maximum concurrent executions: a backlog must not starve API requests. */
  readonly maxConcurrency?: number;
  /** Delivery attempts before a message moves to the dead-letter queue. */
  readonly maxReceiveCount: number;
  readonly memoryMb?: number;
  /**
   * How long a crashed worker keeps its lease. Default: the function timeout. Running workers renew
   * shorter leases.
   */
  readonly leaseSeconds?: number;
  /** The IAM role of the function. Default: `worker`. */
  readonly role?: 'worker' | 'tableWorker' | 'fileWorker' | 'mail' | 'webhooks' | 'live';
  readonly usesPlans?: boolean;
  readonly usesWebsocket?: boolean;
  /** Uses a FIFO queue: messages of one group are processed in order, one at a time. */
  readonly inOrder?: boolean;
  /** Raises an alarm when a message is older than this. */
  readonly alarmAfterSeconds?: number;
};

/**
 * Returns how long a received message stays invisible. AWS recommends six times the function's
 * timeout, so a message never returns while it is being processed. Workers return failed messages
 * earlier; only those of a crashed worker wait this long.
 */
export function visibilitySeconds({ timeoutSeconds }: Pick<WorkerDefinition, 'timeoutSeconds'>) {
  return timeoutSeconds * 6;
}

/** Returns the queue name without the service and stage prefix. */
export function queueName({ name, inOrder }: Pick<WorkerDefinition, 'name' | 'inOrder'>): string {
  return inOrder ? `${name}.fifo` : name;
}

export type JobDefinition = {
  /** kebab-case name of the file in functions/jobs and the function. */
  readonly name: string;
  readonly description: string;
  readonly schedule: `rate(${string})` | `cron(${string})`;
  readonly timeoutSeconds: number;
  readonly memoryMb?: number;
  /** The IAM role of the function. Default: `job`. */
  readonly role?: 'job' | 'sweep' | 'watch';
  readonly usesPlans?: boolean;
};

/** `listMembers` → `list-members`. */
export function kebabCase(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
