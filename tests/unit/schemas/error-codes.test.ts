import { expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { type ErrorCode, errorCodes } from '#schemas/errors.ts';
import { endpoints } from '#schemas/index.ts';
import { refusalsOf } from '#scripts/build/generate/openapi/refusals.ts';
import { sharedCodes } from '#tests/support/registry/shared-codes.ts';

/** Codes of paths without an operation, and of the operator's commands. */
const withoutOperation: readonly ErrorCode[] = [
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'INCIDENT_NOT_FOUND',
  'MAINTENANCE_NOT_FOUND',
];

const declared = endpoints.flatMap((contract) =>
  refusalsOf(contract).map((refusal) => ({ ...refusal, operationId: contract.operationId })),
);

function listedBy({ errors = [] }: Contract): readonly ErrorCode[] {
  return errors.map((error) => (typeof error === 'string' ? error : error.code));
}

it('contracts list by hand only codes that do not follow from the contract', () => {
  const repeated = endpoints.flatMap((contract) => {
    const derived = new Set(refusalsOf({ ...contract, errors: [] }).map(({ code }) => code));

    return listedBy(contract)
      .filter((code) => derived.has(code))
      .map((code) => `${contract.operationId} ${code}`);
  });

  expect(repeated).toEqual([]);
});

it('a contract declares a code twice only if programs handle both failures in the same way', () => {
  const twice = endpoints.flatMap((contract) =>
    listedBy(contract)
      .filter((code, index, all) => all.indexOf(code) !== index && !(code in sharedCodes))
      .map((code) => `${contract.operationId} ${code}`),
  );

  expect(twice).toEqual([]);
});

it('contracts declare each code with one status, except for signatures', () => {
  const others = declared.filter(({ code, kind }) => kind !== errorCodes[code]);

  expect(others.map(({ operationId, code }) => [operationId, code])).toEqual([
    ['receivePaymentEvent', 'SIGNATURE_INVALID'],
  ]);
});

it('every declared code is returned by an operation', () => {
  const used = new Set([...declared.map(({ code }) => code), ...withoutOperation]);

  expect(Object.keys(errorCodes).filter((code) => !used.has(code as ErrorCode))).toEqual([]);
});

it('unknown fields are always rejected where a misspelled one would publish or spend', () => {
  const strict = endpoints.filter((contract) => contract.strict);

  expect(strict.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'PATCH /content/{organization_id}/groups/{group_id}',
    'PATCH /content/{organization_id}/posts/{post_id}',
    'POST /billing/auto-refill/settings',
    'POST /billing/credits/purchase',
    'POST /billing/subscription',
    'POST /content/{organization_id}/groups',
    'POST /content/{organization_id}/posts',
    'POST /platform/organizations/{organization_id}/credits',
  ]);
});
