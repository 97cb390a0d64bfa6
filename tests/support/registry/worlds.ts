import type { Contract } from '#schemas/contract.ts';
import type { Call } from '#tests/support/api.ts';
import { aiFixtures } from './ai-fixtures.ts';
import { authFixtures } from './auth-fixtures.ts';
import { billingFixtures } from './billing-fixtures.ts';
import { bioFixtures } from './bio-fixtures.ts';
import { campaignFixtures } from './campaign-fixtures.ts';
import { contentFixtures } from './content-fixtures.ts';
import { conversationFixtures } from './conversation-fixtures.ts';
import { exampleOf, fieldsOf } from './fields.ts';
import type { Body, Fixture, Fixtures, Values } from './fixture.ts';
import { knowledgeFixtures } from './knowledge-fixtures.ts';
import { leadFixtures } from './lead-fixtures.ts';
import { mediaFixtures } from './media-fixtures.ts';
import { oauthFixtures } from './oauth-fixtures.ts';
import { organizationFixtures } from './organization-fixtures.ts';
import { socialFixtures } from './social-fixtures.ts';
import { socialWebhookFixtures } from './social-webhook-fixtures.ts';
import { webhookFixtures } from './webhook-fixtures.ts';
import type { Person, World } from './world.ts';

/** By operation id: what cannot be derived from the contract. Most endpoints need no entry. */
export const fixtures: Fixtures = {
  ...authFixtures,
  ...organizationFixtures,
  ...aiFixtures,
  ...billingFixtures,
  ...leadFixtures,
  ...socialFixtures,
  ...oauthFixtures,
  ...webhookFixtures,
  ...socialWebhookFixtures,
  ...conversationFixtures,
  ...campaignFixtures,
  ...contentFixtures,
  ...knowledgeFixtures,
  ...mediaFixtures,
  ...bioFixtures,
};

function fixtureOf({ operationId }: Contract): Fixture {
  return fixtures[operationId] ?? {};
}

/** Returns well-formed path parameters that name nothing that exists except the organization. */
export function unknownParams(contract: Contract, { organizationId }: World): Values {
  const { params } = contract;
  if (!params) {
    return {};
  }
  const values = fieldsOf(params).map(({ path, schema }) => [
    path,
    schema.format === 'uuid' ? crypto.randomUUID() : String(exampleOf(params)[path]),
  ]);
  const known = { organization_id: organizationId };

  return { ...Object.fromEntries(values), ...('organization_id' in params.shape ? known : {}) };
}

/** Returns path parameters that name existing resources in the world. */
export async function paramsOf(contract: Contract, world: World): Promise<Values> {
  return { ...unknownParams(contract, world), ...(await fixtureOf(contract).params?.(world)) };
}

/** Returns a body with which the call succeeds in the world. */
export async function bodyOf(contract: Contract, world: World): Promise<Body | undefined> {
  if (!contract.body) {
    return undefined;
  }

  return { ...exampleOf(contract.body), ...(await fixtureOf(contract).body?.(world)) };
}

/** Returns the caller of the successful call. */
export function callerOf(contract: Contract, { people }: World): Person {
  return people[fixtureOf(contract).as ?? 'OWNER'];
}

/** Returns a call of the endpoint that succeeds in the world. */
export async function successfulCall(contract: Contract, world: World): Promise<Call> {
  const [params, query, body] = await Promise.all([
    paramsOf(contract, world),
    fixtureOf(contract).query?.(world),
    bodyOf(contract, world),
  ]);

  return {
    params,
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    ...(await fixtureOf(contract).signed?.(world)),
    ...(contract.access.kind === 'public' ? {} : { token: callerOf(contract, world).token }),
  };
}
