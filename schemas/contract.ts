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
  'bio',
  'social',
  'ai',
  'debug',
  'docs',
] as const;
export type Area = (typeof areas)[number];

/** Who may call an endpoint. `organization` says where the tenant comes from. */
export type Access =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'user';
      /** `X-Organization-Id` is heard, and must name an organization of the caller's. */
      readonly organization?: 'optional';
    }
  | {
      readonly kind: 'member';
      readonly organization: 'path' | 'current';
      readonly lowestRole: Role;
      /** The message of the 403 for a role below `lowestRole`. */
      readonly refusal: string;
      /** A setting of the organization that lets a lower role in. */
      readonly unless?: { readonly setting: OrganizationSwitch; readonly lowestRole: Role };
    };

/** The settings of an organization that let a lower role in. */
export type OrganizationSwitch = 'allowMemberInvites';

/** A session is needed, and nothing else. */
export const signedIn = { kind: 'user' } as const satisfies Access;
/** A session is needed; where the caller has an organization, it matters which one is current. */
export const signedInAnywhere = {
  kind: 'user',
  organization: 'optional',
} as const satisfies Access;
export const openToAll = { kind: 'public' } as const satisfies Access;

/** Membership of the organization in the path, with at least `lowestRole`. */
export function memberOfPath<const R extends Role>(
  lowestRole: R,
  refusal = 'Insufficient permissions for this operation',
) {
  return { kind: 'member', organization: 'path', lowestRole, refusal } as const satisfies Access;
}

/** Membership of the current organization, with at least `lowestRole`. */
export function memberOfCurrent<const R extends Role>(
  lowestRole: R,
  refusal = 'Insufficient permissions for this operation',
) {
  return { kind: 'member', organization: 'current', lowestRole, refusal } as const satisfies Access;
}

/** How long a function may run where its contract does not say otherwise. */
export const defaultTimeoutSeconds = 20;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A refusal in the operation's own words, where those of its kind would not do. */
export type OwnRefusal = {
  readonly kind: ErrorKind;
  /** When it happens, as a sentence. */
  readonly when: string;
  readonly message: string;
  /** What stands in the body beside the common fields. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

/**
 * Everything about an endpoint that is not code. Handlers' types, validation, authorization, the
 * egress filter, the function's entry in `functions.yml`, the OpenAPI document and the generated
 * tests come from it, and from nowhere else.
 */
export type Contract<
  A extends Access = Access,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Payload extends z.ZodObject = z.ZodObject,
> = {
  /** camelCase; in kebab-case it is the file's and the function's name. */
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
  /** The payload; `envelope: 'success'` puts `success: true` before it. */
  readonly response: Payload;
  readonly status?: 200 | 201 | 302;
  /**
   * `success`: `success: true` and the payload. `bare`: the payload alone. `raw`: the handler
   * answers for itself (a page, a file, a redirect) and `response` only describes it.
   */
  readonly envelope?: 'success' | 'bare' | 'raw';
  /** The content type of a `raw` answer. */
  readonly contentType?: string;
  /** Answers of 500 and 503 have the form of the health endpoints in place of the common one. */
  readonly failures?: 'health';
  /** Failures beyond those that follow from access, input and limits. */
  readonly errors?: readonly (ErrorKind | OwnRefusal)[];
  readonly rateLimit?: RateLimitName;
  /** Limits that the handler itself counts; named here for the document and the headers. */
  readonly countedInHandler?: readonly RateLimitName[];
  /** POST only, true by default. */
  readonly idempotent?: boolean;
  /** Beyond the interface. */
  readonly extension?: boolean;
  readonly timeoutSeconds?: number;
  readonly memoryMb?: number;
  /** Files, relative to the project's root, that the function reads when it runs. */
  readonly assets?: readonly string[];
  /** The least that the function must be allowed to do; `api` by default. */
  readonly role?: 'api' | 'static' | 'files';
};

/** Declares an endpoint, keeping the exact types of what it says. */
export function contract<const Definition extends Contract>(definition: Definition): Definition {
  return definition;
}

/** A function that is fed from a queue of its own. */
export type WorkerDefinition = {
  /** kebab-case: the file under functions/workers, the function and the queue. */
  readonly name: string;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly batchSize: number;
  /** So many of it run at once, at most: work that piles up must not take the place of requests. */
  readonly maxConcurrency?: number;
  /** How often a message is tried before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
  readonly memoryMb?: number;
  /**
   * How long a piece of work stays with a worker that has died: for as long as the function may run,
   * if nothing is said. A worker that lives renews a shorter lease.
   */
  readonly leaseSeconds?: number;
  /** First in, first out: work of one group is done in its order, one piece after the other. */
  readonly inOrder?: boolean;
};

/** What a worker's queue is called, after the name of the service and the stage. */
export function queueName({ name, inOrder }: Pick<WorkerDefinition, 'name' | 'inOrder'>): string {
  return inOrder ? `${name}.fifo` : name;
}

/** A function that runs on a schedule. */
export type JobDefinition = {
  /** kebab-case: the file under functions/jobs, and the function. */
  readonly name: string;
  readonly description: string;
  readonly schedule: `rate(${string})` | `cron(${string})`;
  readonly timeoutSeconds: number;
  readonly memoryMb?: number;
};

/** `listMembers` → `list-members`. */
export function kebabCase(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
