import { planOpening } from '#lib/features/billing/ledger/ledger.ts';
import { planOrganization } from '#lib/features/organization-lifecycle/create-organization.ts';
import {
  type CreatedKey,
  newApiKeyOf,
  planKey,
  presentApiKey,
} from '#lib/features/organizations/api-keys.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import { type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { createPlatformOrganization as createContract } from '#schemas/operators.ts';

type Created = {
  readonly organization: Organization;
  readonly apiKey: ReturnType<typeof presentApiKey> & Pick<CreatedKey, 'key'>;
};

/**
 * Creates an organization without members or billing, with an API key. It is one transaction,
 * because the payment provider is not involved.
 *
 * @throws 409 if another organization has the external id.
 */
export async function createForCustomer(
  { name, timezone, externalId, credits }: BodyOf<typeof createContract>,
  extraWrites: ExtraWrites<Created>,
): Promise<Created> {
  const { organization, writes } = planOrganization({
    name,
    timezone,
    ...(externalId ? { externalId } : {}),
  });
  const { organizationId } = organization;
  const { apiKey, key } = newApiKeyOf(organizationId, { name: 'Operator', role: 'ADMIN' });
  const created = { organization, apiKey: { ...presentApiKey(apiKey), key } };
  await write(
    ...(await extraWrites(created)),
    ...writes,
    ...planKey(apiKey),
    ...planOpening(organizationId, {
      id: newId(),
      type: 'adjustment',
      credits: credits ?? 0,
      description: 'Credits of a new organization',
    }),
  );

  return created;
}
