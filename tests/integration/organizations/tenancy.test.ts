import * as fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { newId } from '#lib/platform/ids.ts';
import { createApiKey, revokeApiKey } from '#schemas/api-keys.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  inviteMember,
  organizationContracts,
  removeMember,
  revokeInvitation,
  updateMemberRole,
  updateOrganization,
} from '#schemas/organizations.ts';
import { type Account, freshEmail, newAccount } from '#tests/support/accounts.ts';
import { type Call, call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { inviteByMail, organizationWith } from '#tests/support/organizations.ts';
import { storedItems } from '#tests/support/table.ts';

// Many runs with several calls each, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let victim: Account;
let attacker: Account;
/** The victim's organization, with a member, a pending invitation and an API key. */
let foreign: { organizationId: string; memberId: string; invitationId: string; keyId: string };
/** The attacker's own organization, of which they are OWNER. */
let ownId: string;

beforeAll(async () => {
  process.env.INVITATION_LIMIT_PER_USER = '1000000';
  [victim, attacker] = [await newAccount(), await newAccount()];
  const member = await newAccount();
  const organizationId = await organizationWith(victim, [[member, 'ADMIN']]);
  const invited = await inviteByMail(victim, organizationId, {
    email: freshEmail(),
    role: 'ADMIN',
  });
  const { body } = await call(createApiKey, {
    params: { organization_id: organizationId },
    body: bodies.get(createApiKey),
    token: victim.token,
  });
  foreign = {
    organizationId,
    memberId: member.userId,
    invitationId: invited.id,
    keyId: body.apiKey.id,
  };
  ownId = await organizationWith(attacker);
});

const bodies = new Map<Contract, Call['body']>([
  [updateOrganization, { name: 'Taken over' }],
  [inviteMember, { email: 'mallory@example.com', role: 'VIEWER' }],
  [updateMemberRole, { role: 'VIEWER' }],
  [createApiKey, { name: 'Mallory', role: 'VIEWER' }],
]);

const scoped: readonly Contract[] = organizationContracts.filter(({ path }) =>
  path.includes('{organization_id}'),
);
/** Operations whose last path parameter identifies something inside the organization. */
const withTargetId: readonly Contract[] = [
  updateMemberRole,
  removeMember,
  revokeInvitation,
  revokeApiKey,
];

type Attempt = {
  readonly contract: Contract;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
};

function attempt({ contract, params, headers }: Attempt) {
  const body = bodies.get(contract);

  return call(contract, {
    params,
    headers,
    token: attacker.token,
    ...(body ? { body } : {}),
  });
}

function upperOrLower(id: string): fc.Arbitrary<string> {
  return fc.constantFrom(id, id.toUpperCase());
}

/** Pairs of calls: one with the victim's ids, and the same one with ids that do not exist. */
const attempts = () =>
  fc
    .record({
      contract: fc.constantFrom(...scoped, ...withTargetId),
      isInside: fc.boolean(),
      organizationId: upperOrLower(foreign.organizationId),
      userId: fc.constantFrom(victim.userId, foreign.memberId, attacker.userId),
      memberId: fc.constantFrom(victim.userId, foreign.memberId),
      invitationId: upperOrLower(foreign.invitationId),
      keyId: upperOrLower(foreign.keyId),
      header: fc.constantFrom(undefined, foreign.organizationId, ownId),
    })
    .map(
      ({ contract, isInside, organizationId, userId, memberId, invitationId, keyId, header }) => {
        const headers: Record<string, string> = header ? { 'x-organization-id': header } : {};
        const inside = isInside && withTargetId.includes(contract);
        const unknown = newId();

        return inside
          ? {
              contract,
              headers,
              params: {
                organization_id: ownId,
                user_id: memberId,
                invitation_id: invitationId,
                key_id: keyId,
              },
              unknown: {
                organization_id: ownId,
                user_id: unknown,
                invitation_id: unknown,
                key_id: unknown,
              },
            }
          : {
              contract,
              headers,
              params: {
                organization_id: organizationId,
                user_id: userId,
                invitation_id: invitationId,
                key_id: keyId,
              },
              unknown: {
                organization_id: unknown,
                user_id: userId,
                invitation_id: invitationId,
                key_id: keyId,
              },
            };
      },
    );

async function itemsOfVictim(): Promise<string> {
  const partition = keys.organization(foreign.organizationId).pk;
  const people = [victim.userId, foreign.memberId].map((id) => keys.user(id).pk);
  const items = (await storedItems()).filter(({ pk }) => pk === partition || people.includes(pk));

  return JSON.stringify(items.toSorted((a, b) => `${a.pk}${a.sk}`.localeCompare(`${b.pk}${b.sk}`)));
}

test("answers requests for another organization's data as if it did not exist", async () => {
  const before = await itemsOfVictim();

  await fc.assert(
    fc.asyncProperty(attempts(), async ({ unknown, ...attempted }) => {
      const answer = await attempt(attempted);
      const other = await attempt({ ...attempted, params: unknown });

      expect(answer.status).toBe(404);
      expect(JSON.stringify(answer.body)).toBe(JSON.stringify(other.body));
    }),
    { numRuns: depth(300) },
  );

  expect(await itemsOfVictim()).toBe(before);
}, 600_000);
