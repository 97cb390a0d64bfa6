import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { keys } from '#lib/platform/db/keys.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  acceptInvitation,
  deleteOrganization,
  inviteMember,
  leaveOrganization,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
  updateMemberRole,
  updateOrganization,
} from '#schemas/organizations.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type CallInput, call } from '#tests/support/api.ts';
import { inviteByMail, membershipsOf, organizationWith } from '#tests/support/organizations.ts';
import { overtake as overtakeCall } from '#tests/support/overtake.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

const gone = "Organization not found or you don't have access";

let organizationId: string;

const [ada, grace, mary] = [await newAccount(), await newAccount(), await newAccount()];
beforeEach(async () => {
  organizationId = await organizationWith(ada, [[grace, 'OWNER']]);
});

function pathParams(ids: Readonly<Record<string, string>> = {}) {
  return { organization_id: organizationId, ...ids };
}

/** Makes the other change after the slow call was authorized and directly before it writes. */
async function overtake(
  contract: Contract,
  slow: CallInput,
  change: () => Promise<{ readonly status: number }>,
): Promise<readonly [status: number, message: string]> {
  const { answer, other } = await overtakeCall({ begin: () => call(contract, slow) }, change);
  expect(other.status).toBe(200);

  return outcomeOf(answer);
}

function outcomeOf({ status, body }: Answer): readonly [status: number, message: string] {
  return [status, body.message];
}

const deleteCurrent = () => call(deleteOrganization, { params: pathParams(), token: ada.token });

test('acceptInvitation fails when the organization is deleted concurrently', async () => {
  const { token } = await inviteByMail(ada, organizationId, { email: mary.email, role: 'ADMIN' });

  const answer = await overtake(
    acceptInvitation,
    { body: { token }, token: mary.token },
    deleteCurrent,
  );

  expect(answer).toEqual([404, gone]);
  const read = await call(listMembers, { params: pathParams(), token: mary.token });
  expect(read.status).toBe(404);
  expect(await membershipsOf(organizationId)).toMatchObject({ seats: [], mirroredSeats: [] });
  await drainWork();
});

test.each([
  ['an invitation', inviteMember, { email: freshEmail('toolate'), role: 'VIEWER' }],
  ['a name change', updateOrganization, { name: 'toolate' }],
] as const)(
  'a slow call does not write %s after a concurrent deletion',
  async (_, contract, body) => {
    const answer = await overtake(
      contract,
      { params: pathParams(), body, token: ada.token },
      deleteCurrent,
    );

    expect(answer).toEqual([404, gone]);
    const left = await storedItems(keys.organization(organizationId).pk);
    expect(JSON.stringify(left)).not.toContain('toolate');
    await drainWork();
  },
);

test('acceptInvitation creates no membership when the invitation is revoked concurrently', async () => {
  const { id, token } = await inviteByMail(ada, organizationId, {
    email: mary.email,
    role: 'ADMIN',
  });

  const answer = await overtake(acceptInvitation, { body: { token }, token: mary.token }, () =>
    call(revokeInvitation, { params: pathParams({ invitation_id: id }), token: ada.token }),
  );

  expect(answer).toEqual([409, 'Invitation is already revoked']);
  expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 2 });
});

test('a role change fails if the owner who makes it is demoted concurrently', async () => {
  organizationId = await organizationWith(ada, [
    [grace, 'OWNER'],
    [mary, 'VIEWER'],
  ]);

  const answer = await overtake(
    updateMemberRole,
    { params: pathParams({ user_id: mary.userId }), body: { role: 'OWNER' }, token: grace.token },
    () =>
      call(updateMemberRole, {
        params: pathParams({ user_id: grace.userId }),
        body: { role: 'VIEWER' },
        token: ada.token,
      }),
  );

  expect(answer).toEqual([403, 'Insufficient permissions for this operation']);
  expect((await membershipsOf(organizationId)).seats).toContain(`${mary.userId} VIEWER`);
});

test('a removal fails if the admin who makes it is removed concurrently', async () => {
  organizationId = await organizationWith(ada, [
    [grace, 'ADMIN'],
    [mary, 'VIEWER'],
  ]);

  const answer = await overtake(
    removeMember,
    { params: pathParams({ user_id: mary.userId }), token: grace.token },
    () => call(removeMember, { params: pathParams({ user_id: grace.userId }), token: ada.token }),
  );

  expect(answer).toEqual([404, gone]);
  expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 2 });
});

test('an admin cannot remove a member who becomes an owner concurrently', async () => {
  organizationId = await organizationWith(ada, [
    [grace, 'ADMIN'],
    [mary, 'VIEWER'],
  ]);

  const answer = await overtake(
    removeMember,
    { params: pathParams({ user_id: mary.userId }), token: grace.token },
    () =>
      call(updateMemberRole, {
        params: pathParams({ user_id: mary.userId }),
        body: { role: 'OWNER' },
        token: ada.token,
      }),
  );

  expect(answer).toEqual([403, 'Only owners can grant or revoke the owner role']);
  expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 3, ownerCount: 2 });
});

test('a member can leave while they are promoted to owner', async () => {
  organizationId = await organizationWith(ada, [[grace, 'ADMIN']]);

  const answer = await overtake(
    leaveOrganization,
    { params: pathParams(), token: grace.token },
    () =>
      call(updateMemberRole, {
        params: pathParams({ user_id: grace.userId }),
        body: { role: 'OWNER' },
        token: ada.token,
      }),
  );

  expect(answer).toEqual([200, 'You have left the organization']);
  expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 1, ownerCount: 1 });
});

test('a change returns 503 and changes nothing when every attempt conflicts', async () => {
  organizationId = await organizationWith(ada, [
    [grace, 'ADMIN'],
    [mary, 'VIEWER'],
  ]);
  const before = await membershipsOf(organizationId);
  const startedMs = Date.now();
  setClock(() => startedMs + (Date.now() - startedMs) * 20);
  const conflict = new TransactionCanceledException({
    message: 'Conflict',
    $metadata: {},
    CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
  });
  const ofMary = pathParams({ user_id: mary.userId });
  const calls = [
    [updateMemberRole, { params: ofMary, body: { role: 'MEMBER' }, token: ada.token }],
    [removeMember, { params: ofMary, token: ada.token }],
    [leaveOrganization, { params: pathParams(), token: grace.token }],
  ] as const;

  documentClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        commandName.startsWith('TransactWrite') ? Promise.reject(conflict) : next(args),
    { step: 'initialize', name: 'conflict' },
  );
  const answers = await Promise.all(
    calls.map(async ([contract, request]) => outcomeOf(await call(contract, request))),
  ).finally(() => documentClient.middlewareStack.remove('conflict'));

  expect(answers).toEqual(calls.map(() => [503, 'The service is busy. Try again']));
  expect(await membershipsOf(organizationId)).toEqual(before);
});

describe('turning off member invites', () => {
  const change = (allowMemberInvites: boolean) =>
    call(updateOrganization, {
      params: pathParams(),
      token: ada.token,
      body: { settings: { allowMemberInvites } },
    });
  const turnOff = () => change(false);
  const demote = () =>
    call(updateMemberRole, {
      params: pathParams({ user_id: grace.userId }),
      token: ada.token,
      body: { role: 'MEMBER' },
    });
  const invite = () =>
    call(inviteMember, {
      params: pathParams(),
      token: grace.token,
      body: { email: freshEmail(), role: 'MEMBER' },
    });

  test.each([
    ['an admin becomes a member before it reads', 'ADMIN', turnOff, 'Get', demote],
    ['an admin becomes a member before it writes', 'ADMIN', turnOff, 'TransactWrite', demote],
    ['an owner becomes a member before it writes', 'OWNER', turnOff, 'TransactWrite', demote],
    ['a member invites before it writes', 'MEMBER', turnOff, 'TransactWrite', invite],
    ['it overtakes an admin who becomes a member', 'ADMIN', demote, 'TransactWrite', turnOff],
    ['it overtakes an owner who becomes a member', 'OWNER', demote, 'TransactWrite', turnOff],
    ['it overtakes a member who invites', 'MEMBER', invite, 'TransactWrite', turnOff],
  ] as const)('leaves no invitation pending if %s', async (_, role, begin, operation, other) => {
    organizationId = await organizationWith(ada, [[grace, role]]);
    await change(true);
    await invite();
    await overtakeCall({ begin, operation }, other);

    const { body } = await call(listInvitations, { params: pathParams(), token: ada.token });
    const statuses = body.invitations.map(({ status }: { readonly status: string }) => status);
    expect(new Set(statuses)).toEqual(new Set(['revoked']));
  });
});
