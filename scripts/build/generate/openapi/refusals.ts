import { type Contract, type OwnRefusal, peopleOnlyMessage } from '#schemas/contract.ts';
import { type ErrorKind, errorKinds } from '#schemas/errors.ts';
import { hearsOrganizationHeader, isIdempotent, isStatic, isUnsafe, limitsOf } from './facts.ts';
import { messagesOfFailingInput } from './failing-input.ts';

/** One reason why a call can be rejected. */
export type Refusal = OwnRefusal;

/** The default texts of each kind of error. */
const usual: Readonly<Record<ErrorKind, Omit<Refusal, 'kind'>>> = {
  badRequest: {
    when: 'The request violates a rule of this operation.',
    message: 'The request violates a rule of this operation',
  },
  unauthorized: { when: 'The credentials are wrong.', message: 'Invalid email or password' },
  paymentRequired: {
    when: 'The payment provider declined the payment. Nothing was changed.',
    message: 'Your card was declined.',
  },
  forbidden: {
    when: 'The caller lacks the required permissions.',
    message: 'Insufficient permissions for this operation',
  },
  notFound: {
    when: 'The resource does not exist or belongs to another organization.',
    message: "Resource not found or you don't have access",
  },
  conflict: {
    when: 'The request conflicts with the current state.',
    message: 'The request conflicts with the current state',
  },
  payloadTooLarge: {
    when: 'The body is larger than 1 MiB.',
    message: 'Request body must not be larger than 1 MiB',
  },
  unsupportedMediaType: {
    when: 'The content type is not `application/json`.',
    message: 'Content-Type must be application/json',
  },
  unprocessable: {
    when: 'The `Idempotency-Key` was already used with a different body.',
    message: 'Idempotency-Key was already used with another request body',
  },
  tooManyRequests: {
    when: 'A rate limit was exceeded.',
    message: 'Too many requests, please try again later',
  },
  internal: {
    when: 'An unexpected error. We log it with the request ID.',
    message: 'Internal server error',
  },
  upstream: {
    when: 'A required upstream service is unavailable, slow or returned an invalid response.',
    message: 'Payment service temporarily unavailable',
  },
  overloaded: {
    when: 'The service is busy. Retry after a moment.',
    message: 'The service is busy. Try again',
  },
};

/** Every possible error of a contract, ordered by status. */
export function refusalsOf(contract: Contract): readonly Refusal[] {
  const refusals = [
    ...fromInput(contract),
    ...fromIdempotency(contract),
    ...fromAccess(contract),
    ...limitsOf(contract).map(() => refusal('tooManyRequests')),
    ...(contract.errors ?? []).map((error) =>
      typeof error === 'string' ? namedBy(contract, error) : error,
    ),
    refusal('internal'),
    ...(isStatic(contract) ? [] : [refusal('overloaded')]),
  ];

  return refusals.toSorted(
    (one, other) => errorKinds[one.kind].statusCode - errorKinds[other.kind].statusCode,
  );
}

function refusal(kind: ErrorKind): Refusal {
  return { kind, ...usual[kind] };
}

/** The last path parameter names the resource that was not found. */
function namedBy({ path }: Contract, kind: ErrorKind): Refusal {
  const [, resource] = /\{(\w+?)(?:_id)?\}[^{]*$/.exec(path) ?? [];
  if (kind !== 'notFound' || !resource || resource === 'organization') {
    return refusal(kind);
  }
  const words = resource.replaceAll('_', ' ');
  const name = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

  return { ...refusal(kind), message: `${name} not found or you don't have access` };
}

function fromInput(contract: Contract): readonly Refusal[] {
  const messages = messagesOfFailingInput(contract);

  return [
    ...(messages
      ? [
          {
            kind: 'badRequest',
            when: 'A parameter, header or field is invalid.',
            message: messages,
          } as const,
        ]
      : []),
    ...(contract.body ? [refusal('payloadTooLarge'), refusal('unsupportedMediaType')] : []),
  ];
}

function fromIdempotency(contract: Contract): readonly Refusal[] {
  if (!isIdempotent(contract)) {
    return [];
  }

  return [
    {
      kind: 'badRequest',
      when: 'The `Idempotency-Key` is empty or longer than 255 characters.',
      message: ['Idempotency-Key must be between 1 and 255 characters'],
    },
    {
      kind: 'conflict',
      when: 'The first request with this `Idempotency-Key` is still being processed.',
      message: 'A request with this Idempotency-Key is still being processed',
    },
    refusal('unprocessable'),
  ];
}

function fromAccess(contract: Contract): readonly Refusal[] {
  if (contract.access.kind === 'public') {
    return [];
  }

  return [
    {
      kind: 'unauthorized',
      when: 'The token is missing.',
      message: 'Authentication required',
      fields: { code: 'SESSION_INVALID' },
    },
    {
      kind: 'unauthorized',
      when: 'The token is invalid or expired.',
      message: 'Invalid or expired access token',
      fields: { code: 'SESSION_INVALID' },
    },
    ...(isUnsafe(contract) ? [fromForeignSite] : []),
    ...(contract.access.peopleOnly ? [fromApiKey] : []),
    ...fromMembership(contract),
  ];
}

const fromForeignSite: Refusal = {
  kind: 'forbidden',
  when: 'A cross-site request authenticated only with the cookie.',
  message: 'Cross-site request refused',
};

const fromApiKey: Refusal = {
  kind: 'forbidden',
  when: 'The request uses an API key.',
  message: peopleOnlyMessage,
};

function fromMembership(contract: Contract): readonly Refusal[] {
  const { access } = contract;
  const isMember = access.kind === 'member';

  return [
    ...(isMember && access.lowestRole !== 'VIEWER'
      ? [
          {
            kind: 'forbidden',
            when: `The caller's role is below ${access.lowestRole}.`,
            message: access.refusal,
          } as const,
        ]
      : []),
    ...(isMember || hearsOrganizationHeader(contract) ? [noMember] : []),
  ];
}

const noMember: Refusal = {
  kind: 'notFound',
  when: 'The organization does not exist or the caller is not a member of it.',
  message: "Organization not found or you don't have access",
};
