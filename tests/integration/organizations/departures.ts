import { listOrganizations } from '#schemas/organizations.ts';
import type { Account } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

export const transferFirst = 'Transfer ownership before leaving the organization';

export async function organizationsOf({ token }: Account): Promise<readonly string[]> {
  const { body } = await call(listOrganizations, { token });

  return body.organizations.map(({ id }: { id: string }) => id);
}
