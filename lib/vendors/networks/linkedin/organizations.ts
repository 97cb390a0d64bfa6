import type { Credentials } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationIdOf, organizationUrn, platform, restli } from './call.ts';

const roles = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR'];

const accessControls = z.object({
  elements: z.array(
    z.object({
      organizationalTarget: z.string(),
      role: z.string(),
      state: z.string().optional(),
      roleAssignee: z.string().optional(),
      'organizationalTarget~': z
        .object({ localizedName: z.string().optional(), vanityName: z.string().optional() })
        .optional(),
    }),
  ),
});

/** An organization that the token can act for, and the member who owns the token. */
export type AdministeredOrganization = {
  readonly id: string;
  readonly name: string;
  readonly vanityName: string | undefined;
  /** The member's URN. */
  readonly administrator: string | undefined;
};

/** Returns the organizations that the member may publish for. */
export async function listOrganizations(
  credentials: Pick<Credentials, 'accessToken'>,
): Promise<readonly AdministeredOrganization[]> {
  const answer = await call(credentials, {
    method: 'GET',
    path: '/v2/organizationalEntityAcls',
    query: {
      q: 'roleAssignee',
      state: 'APPROVED',
      // Unverified: `roleAssignee` in the projection. See docs/operations.md.
      projection:
        '(elements*(organizationalTarget~(localizedName,vanityName),role,state,roleAssignee))',
      count: 100,
    },
  });
  const { elements } = readAnswer(platform, accessControls, answer);
  const found = new Map<string, AdministeredOrganization>();
  for (const element of elements) {
    const id = organizationIdOf(element.organizationalTarget);
    const { localizedName, vanityName } = element['organizationalTarget~'] ?? {};
    if (id !== undefined && roles.includes(element.role) && element.state !== 'REVOKED') {
      const administrator = element.roleAssignee;
      found.set(id, { id, name: localizedName ?? id, vanityName, administrator });
    }
  }

  return [...found.values()];
}

/** Returns the exact number of followers. The follower statistics contain only breakdowns. */
export async function countFollowers(credentials: Credentials): Promise<number | null> {
  const answer = await call(credentials, {
    method: 'GET',
    path: `/rest/networkSizes/${restli(organizationUrn(credentials.platformUserId))}`,
    query: { edgeType: 'COMPANY_FOLLOWED_BY_MEMBER' },
  });
  const size = z.object({ firstDegreeSize: z.number().optional() });

  return readAnswer(platform, size, answer).firstDegreeSize ?? null;
}
