import { beforeAll, expect, it } from 'vitest';
import { setUpBilling } from '#schemas/billing.ts';
import { areaOf } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { successfulCall } from '#scripts/fixtures/fixtures.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { type Item, lastingItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

/**
 * All operations that create or change data of an organization. Preparing `setUpBilling` deletes
 * the signup's billing data directly from the table.
 */
const writeOperations = endpoints.filter(
  (contract) =>
    contract.method !== 'GET' &&
    contract.method !== 'DELETE' &&
    areaOf(contract) !== 'auth' &&
    contract.access.kind !== 'user' &&
    contract !== setUpBilling,
);

let doomed: World;
let neighbour: World;

beforeAll(async () => {
  liftRateLimits();
  [doomed, neighbour] = await Promise.all([newWorld(), newWorld()]);
  for (const contract of writeOperations) {
    const answer = await probe(contract, await successfulCall(contract, doomed));
    expect(answer.status, contract.operationId).toBe(contract.status ?? 200);
  }
  await drainWork();
});

/**
 * Returns items that contain the organization's id, except sessions, which only store it as their
 * current organization.
 */
async function itemsOf({ organizationId }: World): Promise<readonly Item[]> {
  const items = await lastingItems();

  return items.filter(
    (item) => JSON.stringify(item).includes(organizationId) && !item.sk.startsWith('SESSION#'),
  );
}

/**
 * The ledger is kept for accounting, payments are kept while they may need a refund, and a sign-in
 * link is kept until it expires after five minutes.
 */
function isKept({ pk, expiresAtSeconds }: Item): boolean {
  const expires = pk.includes('#PAYMENT#') || pk.startsWith('SIGN_IN_LINK#');

  return pk.endsWith('#LEDGER') || (expires && Number(expiresAtSeconds) > 0);
}

it('deleting an organization removes everything that any endpoint created', async () => {
  const made = await itemsOf(doomed);
  const kinds = new Set(made.map(({ pk, sk }) => `${pk.split('#')[0]} ${sk.split('#')[0]}`));
  const others = await itemsOf(neighbour);
  for (const kind of [
    ...['AGENT', 'BIO_LINK', 'CAMPAIGN', 'CONTACT', 'CONVERSATION', 'IMPORT', 'INVITATION'],
    ...['KEYWORD', 'LEAD', 'PIPELINE', 'POST', 'SOCIAL_ACCOUNT', 'TEMPLATE', 'WEBHOOK'],
  ]) {
    expect(kinds).toContain(`ORG ${kind}`);
  }

  const params = { organization_id: doomed.organizationId };
  const { token } = doomed.people.OWNER;
  expect((await probe(deleteOrganization, { params, token })).status).toBe(200);
  await removeDeleted(doomed.organizationId);
  await drainWork();

  const left = (await itemsOf(doomed)).filter((item) => !isKept(item));
  expect(left.map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([]);
  expect(await itemsOf(neighbour)).toEqual(others);
});
