import type { Contract } from '#schemas/contract.ts';
import { createPlatformOrganization, createPlatformSignInLink } from '#schemas/operators.ts';
import { operatorKey } from '#scripts/fixtures/operator-fixtures.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { type Answer, type CallInput, call } from '#tests/support/api.ts';

/** Calls an endpoint with the operator's key. */
export function operate(contract: Contract, options: CallInput = {}): Promise<Answer> {
  return call(contract, { token: operatorKey, ...options });
}

export const newCustomer = { name: 'Analytical Engines', timezone: 'Europe/Berlin' };

/** Creates an organization with the operator's key, and returns it with its API key. */
export async function onboard(body: object = {}) {
  const answer = await operate(createPlatformOrganization, { body: { ...newCustomer, ...body } });
  const { organization, apiKey } = answer.body;

  return {
    organizationId: String(organization.id),
    key: String(apiKey.key),
    organization,
    params: { organization_id: String(organization.id) },
  };
}

export function person(details: object = {}) {
  return { email: freshEmail(), firstName: 'Ada', lastName: 'King', role: 'MEMBER', ...details };
}

/** Returns the token of a new sign-in link. */
export async function newLink(params: { readonly organization_id: string }, details: object = {}) {
  const { body } = await operate(createPlatformSignInLink, { params, body: person(details) });

  return String(body.url).split('/').at(-1) ?? '';
}
