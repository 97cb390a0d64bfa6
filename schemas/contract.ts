import type { ErrorCode, ErrorKind } from './errors.ts';
import { type PathIds, pathIds } from './path-ids.ts';
import type { RateLimitName } from './rate-limits.ts';
import type * as z from './zod.ts';

export const roles = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

/** `roles` is ordered by rank, highest first. */
export function ranksAtLeast(role: Role, lowest: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(lowest);
}

export function ranksAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(other);
}

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
  'platform',
  'mcp',
  'docs',
  'app',
] as const;
export type Area = (typeof areas)[number];

/** Who may call an endpoint. `organization` defines which organization the call is for. */
export type Access =
  | { readonly kind: 'public' }
  | {
      /**
       * A key of the company that runs the service. Credentials of organizations are not accepted.
       */
      readonly kind: 'operator';
      readonly bearerOnly: true;
      readonly organization?: never;
      readonly peopleOnly?: never;
    }
  | {
      readonly kind: 'user';
      /** Accepts `X-Organization-Id`, which must be an organization that the caller belongs to. */
      readonly organization?: 'optional';
      readonly peopleOnly?: true;
      /** Also accepts requests without credentials. Invalid credentials are still rejected. */
      readonly anonymous?: true;
      readonly bearerOnly?: true;
    }
  | {
      readonly kind: 'member';
      readonly organization: 'path' | 'current';
      readonly lowestRole: Role;
      /** The message of the 403 for a role below `lowestRole`. */
      readonly refusal: string;
      readonly unless?: { readonly setting: OrganizationSwitch; readonly lowestRole: Role };
      /** API keys are rejected, because the endpoint is about a person, or spends money. */
      readonly peopleOnly?: true;
      /**
       * For programs: cookies are ignored, and pages of other sites are rejected even with a valid
       * token.
       */
      readonly bearerOnly?: true;
      /** Also available while the organization is suspended. */
      readonly whileSuspended?: true;
    };

/** The default message of a 403. Endpoints of organizations and billing have their own messages. */
export const insufficientPermissions = 'Insufficient permissions for this operation';

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
/** Requires a key of the operator. */
export const operatorOnly = { kind: 'operator', bearerOnly: true } as const satisfies Access;
export const openToAll = { kind: 'public' } as const satisfies Access;

/** Requires membership in the organization in the path, with at least `lowestRole`. */
export function memberOfPath<const R extends Role>(
  lowestRole: R,
  refusal: string = insufficientPermissions,
) {
  return { kind: 'member', organization: 'path', lowestRole, refusal } as const satisfies Access;
}

/** Requires membership in the current organization, with at least `lowestRole`. */
export function memberOfCurrent<const R extends Role>(
  lowestRole: R,
  refusal: string = insufficientPermissions,
) {
  return { kind: 'member', organization: 'current', lowestRole, refusal } as const satisfies Access;
}

/** Also accepts requests without credentials. Invalid credentials are rejected, not ignored. */
export function orAnonymous<const A extends Extract<Access, { kind: 'user' }>>(access: A) {
  return { ...access, anonymous: true as const };
}

export function acceptsAnonymous(access: Access): boolean {
  return access.kind === 'public' || (access.kind === 'user' && access.anonymous === true);
}

/** Accepts neither cookies nor requests from pages of other sites. */
export function bearerOnly<const A extends Extract<Access, { kind: 'user' | 'member' }>>(
  access: A,
) {
  return { ...access, bearerOnly: true as const };
}

/** True if a cookie can authenticate the caller. */
export function takesCookies({ access }: Pick<Contract, 'access'>): boolean {
  return access.kind !== 'public' && !access.bearerOnly;
}

/** Rejects API keys. */
export function peopleOnly<const A extends Extract<Access, { kind: 'user' | 'member' }>>(
  access: A,
) {
  return { ...access, peopleOnly: true as const };
}

/**
 * Lambda timeout of endpoints without their own. The gateway stops waiting after 30 seconds, and
 * changes that conflict are retried for 18 seconds.
 */
export const defaultTimeoutSeconds = 29;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * An error of an operation that has its own explanation, or a different status than its code
 * usually has.
 */
export type OwnRefusal = {
  readonly code: ErrorCode;
  /** The situation in which this happens, as a sentence. Default: the meaning of the code. */
  readonly when?: string;
  readonly kind?: ErrorKind;
};

/** A named example of a body, for fields that exclude each other. */
export type BodyExample = {
  readonly summary: string;
  /** The fields in the example, with their own example values. */
  readonly fields: readonly string[];
  /** Other values for some of these fields. */
  readonly values?: Readonly<Record<string, unknown>>;
};

/** A response that a `raw` operation returns besides its usual response and JSON errors. */
export type RawResponse = {
  readonly status: number;
  /** The situation in which this happens, as a sentence. */
  readonly when: string;
  /** Absent if there is no body. */
  readonly contentType?: string;
  /** For JSON. */
  readonly response?: z.ZodObject;
};

export function htmlPage(status: number, when: string): RawResponse {
  return { status, when, contentType: 'text/html; charset=utf-8' };
}

export const notModified: RawResponse = {
  status: 304,
  when: 'The cached version is still current.',
};

/** Announces the end of an operation or a field, which is at least twelve months away. */
export type Deprecation = {
  /** Days in UTC, such as 2026-11-27. */
  readonly since: string;
  readonly until: string;
  /** The replacement, as a sentence. */
  readonly instead: string;
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
  /** Default: the first segment of the path. */
  readonly area?: Area;
  readonly method: Method;
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  /** Default: each part of the path is an id. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * For `orAnonymous`: selects the schema by the fields that a caller without credentials sent.
   * Default: `body`, which contains all fields in any case.
   */
  readonly anonymousBody?: (given: Readonly<Record<string, unknown>>) => z.ZodObject;
  /** Examples by name. Without them, one example is composed from the examples of all fields. */
  readonly bodyExamples?: Readonly<Record<string, BodyExample>>;
  /** The payload, without `success` and `message`, which are added automatically. */
  readonly response?: Payload;
  /** The `message` of a successful response. */
  readonly message?: string;
  readonly status?: 200 | 201 | 302;
  /**
   * A second success response, with status 201. The operation selects it with `reply.created()`.
   */
  readonly created?: { readonly response: z.ZodObject; readonly message: string };
  /**
   * `success` adds `success: true` to the payload, `bare` does not. With `raw`, the handler builds
   * the response (a page, a file, a redirect) and `response` only describes it.
   */
  readonly envelope?: 'success' | 'bare' | 'raw';
  readonly contentType?: string;
  readonly otherResponses?: readonly RawResponse[];
  /** 500 and 503 responses use the health error format instead of the common one. */
  readonly failures?: 'health';
  /** Errors in addition to those implied by access, input, limits and idempotency. */
  readonly errors?: readonly (ErrorCode | OwnRefusal)[];
  /**
   * Rejects unknown fields of the body instead of warning about them, because a misspelled field
   * would publish or spend.
   */
  readonly strict?: true;
  readonly rateLimit?: RateLimitName;
  /** Rate limits that the handler checks itself. Listed here for the document and the headers. */
  readonly countedInHandler?: readonly RateLimitName[];
  /** Whether `Idempotency-Key` is supported. POST only, true by default. */
  readonly idempotent?: boolean;
  /** True if it is part of the original API specification, which gets no more endpoints. */
  readonly specified?: true;
  readonly deprecated?: Deprecation;
  /** Deprecations by the name of a top-level field of query, body or response. */
  readonly deprecatedFields?: Readonly<Record<string, Deprecation>>;
  /** True if an AI agent may call it as a tool of `POST /mcp`. */
  readonly tool?: true;
  readonly timeoutSeconds?: number;
  readonly memoryMb?: number;
  /** Files that the function reads at run time, relative to the project root. */
  readonly assets?: readonly string[];
  /** The IAM role of the function. Default: `read` for GET, otherwise `api`. */
  readonly role?: EndpointRole;
  /** True if the last parameter contains the rest of the path, including slashes. */
  readonly takesRestOfPath?: boolean;
  /** Whether the function needs the catalog of plans and call prices in its environment. */
  readonly usesPlans?: boolean;
  /** Whether the function needs the address of the WebSocket API in its environment. */
  readonly usesWebsocket?: boolean;
};

/** The IAM roles of endpoints in serverless.yml. */
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

/** The body of a caller without credentials. */
export type AnonymousBodyOf<C extends { readonly anonymousBody: (given: never) => z.ZodObject }> =
  ReadonlyDeep<z.output<ReturnType<C['anonymousBody']>>>;

export type QueryOf<C extends { readonly query: z.ZodObject }> = ReadonlyDeep<z.output<C['query']>>;

export type FiltersOf<C extends { readonly query: z.ZodObject }> = Omit<
  QueryOf<C>,
  'page' | 'limit' | 'cursor'
>;

/** The memory with which Lambda assigns one full processor. Hashing a password needs it. */
export const fullProcessorMb = 1_769;

/** A contract as it is written. The method is GET by default. */
type Definition = Omit<Contract, 'method'> & { readonly method?: Method };

/** Declares an endpoint and preserves its literal types. */
export function contract<const Given extends Definition>(given: Given): WithDefaults<Given> {
  const hasOnlyIds = !given.params && given.path.includes('{');

  return staticContract({ ...(hasOnlyIds && { params: pathIds(given.path) }), ...given }) as never;
}

/** Declares an endpoint without parameters, so that its function loads no schema of ids. */
export function staticContract<const Given extends Definition>(given: Given): WithDefaults<Given> {
  return { method: 'GET', ...given } as never;
}

type WithDefaults<Given extends Definition> = Given &
  ('method' extends keyof Given ? unknown : { readonly method: 'GET' }) &
  ('params' extends keyof Given
    ? unknown
    : Given['path'] extends `${string}{${string}`
      ? { readonly params: PathIds<Given['path']> }
      : unknown);

/** Returns the folder of an endpoint's function, which is also its tag in the document. */
export function areaOf({ area, path }: Pick<Contract, 'area' | 'path'>): Area {
  return area ?? (path.split('/')[1] as Area);
}

/** A function that consumes its own queue. */
export type WorkerDefinition = {
  /** kebab-case name of the file in functions/workers, the function and the queue. */
  readonly name: string;
  readonly description: string;
  /** If it exceeds a minute, an organization may use at most a fifth of the concurrency. */
  readonly timeoutSeconds: number;
  readonly batchSize: number;
  /** Maximum concurrent executions, so that a backlog cannot starve API requests. Default: 10. */
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
  /** Files of the project that the function reads. */
  readonly assets?: readonly string[];
  /** Uses a FIFO queue: messages of one group are processed in order, one at a time. */
  readonly inOrder?: boolean;
  /** Raises an alarm if a message is older than this. */
  readonly alarmAfterSeconds?: number;
};

/** True for long work, with which one organization could keep a whole worker busy. */
export function isLongWork({ timeoutSeconds }: Pick<WorkerDefinition, 'timeoutSeconds'>): boolean {
  return timeoutSeconds > 60;
}

export function maxConcurrencyOf({
  maxConcurrency = 10,
}: Pick<WorkerDefinition, 'maxConcurrency'>): number {
  return maxConcurrency;
}

/** Scales a maximum of concurrent executions. Lambda's minimum is 2. */
export function scaledConcurrency(maximum: number, percent: number): number {
  return Math.max(2, Math.floor((maximum * percent) / 100));
}

/**
 * Returns how long a received message stays invisible. AWS recommends six times the function's
 * timeout, so a message never returns while it is being processed. Workers return failed messages
 * earlier. Only messages of a crashed worker wait this long.
 */
export function visibilitySeconds({ timeoutSeconds }: Pick<WorkerDefinition, 'timeoutSeconds'>) {
  return timeoutSeconds * 6;
}

/** Returns the queue name without the service and stage prefix. */
export function queueName({ name, inOrder }: QueueOwner): string {
  return inOrder ? `${name}.fifo` : name;
}

export type QueueOwner = Pick<WorkerDefinition, 'name' | 'inOrder'>;

/** The owner of the dead-letter queue of a worker's queue. */
export function deadLettersOf({ name, inOrder }: QueueOwner): QueueOwner {
  return { name: `${name}-dlq`, ...(inOrder && { inOrder }) };
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

/** Returns the path in the gateway's format. */
export function routePath({
  path,
  takesRestOfPath,
}: Pick<Contract, 'path' | 'takesRestOfPath'>): string {
  return takesRestOfPath ? path.replace(/\}$/, '+}') : path;
}

/** `listMembers` → `list-members`. */
export function kebabCase(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `listLeads` → `list_leads`. */
export function snakeCase(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `lead_id` → `leadId`. */
export function camelCase(snakeCase: string): string {
  return snakeCase.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
