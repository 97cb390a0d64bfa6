import { acceptsAnonymous, type Contract, type OwnRefusal } from '#schemas/contract.ts';
import { type ErrorCode, type ErrorKind, errorCodes, errorKinds } from '#schemas/errors.ts';
import {
  hasInput,
  hearsOrganizationHeader,
  isIdempotent,
  isStatic,
  isUnsafe,
  limitsOf,
} from './facts.ts';

/** One reason why a call can be rejected. */
export type Refusal = {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  /** The situation, as a sentence, if it is more specific than the meaning of the code. */
  readonly when?: string;
};

/** Every possible error of a contract, ordered by status. */
export function refusalsOf(contract: Contract): readonly Refusal[] {
  const codes = [
    ...fromInput(contract),
    ...(isIdempotent(contract)
      ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const)
      : []),
    ...fromAccess(contract),
    ...(limitsOf(contract).length > 0 ? (['RATE_LIMITED'] as const) : []),
    ...(contract.errors ?? []),
    'INTERNAL_ERROR' as const,
    ...(isStatic(contract) ? [] : (['OVERLOADED'] as const)),
  ];
  const byText = new Map(codes.map(refusalOf).map((refusal) => [JSON.stringify(refusal), refusal]));

  return [...byText.values()].toSorted(
    (one, other) => errorKinds[one.kind].statusCode - errorKinds[other.kind].statusCode,
  );
}

function refusalOf(error: ErrorCode | OwnRefusal): Refusal {
  const own = typeof error === 'string' ? { code: error } : error;

  return { kind: errorCodes[own.code], ...own };
}

function fromInput(contract: Contract): readonly ErrorCode[] {
  return [
    ...(hasInput(contract) ? (['VALIDATION_FAILED'] as const) : []),
    ...(contract.body
      ? (['BODY_INVALID', 'BODY_TOO_LARGE', 'CONTENT_TYPE_UNSUPPORTED'] as const)
      : []),
  ];
}

function fromAccess(contract: Contract): readonly ErrorCode[] {
  const { access } = contract;
  if (access.kind === 'public') {
    return [];
  }

  return [
    ...(acceptsAnonymous(access) ? [] : (['AUTHENTICATION_REQUIRED'] as const)),
    'SESSION_INVALID',
    ...(isUnsafe(contract) && access.kind !== 'operator' ? (['CROSS_SITE_REQUEST'] as const) : []),
    ...(access.peopleOnly ? (['PERSON_REQUIRED'] as const) : []),
    ...(isRefusedWhileSuspended(contract) ? (['ORGANIZATION_SUSPENDED'] as const) : []),
    ...(access.kind === 'member' && access.lowestRole !== 'VIEWER'
      ? (['ROLE_INSUFFICIENT'] as const)
      : []),
    ...(access.kind === 'member' || hearsOrganizationHeader(contract)
      ? (['ORGANIZATION_NOT_FOUND'] as const)
      : []),
  ];
}

function isRefusedWhileSuspended(contract: Contract): boolean {
  const { access } = contract;

  return access.kind === 'member' ? !access.whileSuspended : hearsOrganizationHeader(contract);
}
