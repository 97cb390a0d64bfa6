import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationIdOf, organizationUrn, platform, restli, restliList } from './call.ts';

const roles = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR'];

const accessControls = z.object({
  elements: z.array(
    z.object({
      /** Unverified: documented samples use one name or the other. See docs/operations.md. */
      organization: z.string().optional(),
      organizationTarget: z.string().optional(),
      role: z.string(),
      state: z.string().optional(),
      roleAssignee: z.string().optional(),
    }),
  ),
});
const names = z.object({
  results: z.record(
    z.string(),
    z.object({ localizedName: z.string().optional(), vanityName: z.string().optional() }),
  ),
});

/** An organization that the token can act for, and the member who owns the token. */
export type AdministeredOrganization = {
  readonly id: string;
  /** The member's URN. */
  readonly administrator: string | undefined;
};

/** Returns the organizations that the member may publish for. */
export async function listOrganizations(
  credentials: Pick<Credentials, 'accessToken'>,
): Promise<readonly AdministeredOrganization[]> {
  const answer = await call(credentials, {
    path: '/rest/organizationAcls',
    query: { q: 'roleAssignee', state: 'APPROVED', count: 100 },
  });
  const { elements } = readAnswer(platform, accessControls, answer);
  const found = new Map<string, AdministeredOrganization>();
  for (const { organization, organizationTarget, role, state, roleAssignee } of elements) {
    const id = organizationIdOf(organization ?? organizationTarget ?? '');
    if (id !== undefined && roles.includes(role) && state !== 'REVOKED') {
      found.set(id, { id, administrator: roleAssignee });
    }
  }

  return [...found.values()];
}

export type OrganizationNames = {
  readonly name: string;
  readonly vanityName: string | undefined;
};

/**
 * Returns the names of organizations, in the order of the ids. If a name is unknown, returns the id
 * instead.
 */
export async function readOrganizationNames(
  credentials: Pick<Credentials, 'accessToken'>,
  ids: readonly string[],
): Promise<readonly OrganizationNames[]> {
  if (ids.length === 0) {
    return [];
  }
  const answer = await call(credentials, {
    path: '/rest/organizationsLookup',
    query: { ids: restliList(ids) },
  });
  const { results } = readAnswer(platform, names, answer);

  return ids.map((id) => {
    const { localizedName, vanityName } = results[id] ?? {};

    return { name: localizedName ?? id, vanityName };
  });
}

/**
 * Returns the exact number of followers, because the follower statistics contain only breakdowns.
 */
export async function countFollowers(credentials: Credentials): Promise<number | null> {
  const answer = await call(credentials, {
    path: `/rest/networkSizes/${restli(organizationUrn(credentials.platformUserId))}`,
    query: { edgeType: 'COMPANY_FOLLOWED_BY_MEMBER' },
  });
  const size = z.object({ firstDegreeSize: z.number().optional() });

  return readAnswer(platform, size, answer).firstDegreeSize ?? null;
}
