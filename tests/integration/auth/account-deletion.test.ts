import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { createApiKey } from '#schemas/api-keys.ts';
import { changePassword, deleteMe, getMe, signInWithGoogle } from '#schemas/auth.ts';
import {
  acceptInvitation,
  createOrganization,
  inviteMember,
  leaveOrganization,
  updateMemberRole,
} from '#schemas/organizations.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { type Account, freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

waitForNobody();

const pathOf = (organizationId: string) => ({ organization_id: organizationId });
const remove = ({ token }: Account, proof: object = { password }) =>
  call(deleteMe, { token, body: proof });

async function membersOf(organizationId: string): Promise<readonly Membership[]> {
  const items = await storedItems(keys.organization(organizationId).pk);

  return items.filter(({ sk }) => sk.startsWith('MEMBER#')) as unknown as readonly Membership[];
}

/**
 * Expects that the counts match the members, that all members exist, and that there is an owner.
 */
async function expectOwned(organizationId: string): Promise<void> {
  const organization = await get<Record<string, unknown>>(keys.organization(organizationId));
  if (!organization || organization.deletedAt) {
    return;
  }
  const members = await membersOf(organizationId);
  const owners = members.filter(({ role }) => role === 'OWNER');
  const users = await Promise.all(members.map(({ userId }) => get(keys.user(userId))));

  expect(users.every((user) => user !== undefined)).toBe(true);
  expect([organization.memberCount, organization.ownerCount]).toEqual([
    members.length,
    owners.length,
  ]);
  expect(owners.length).toBeGreaterThan(0);
}

/** A user with everything that a deletion ends. */
async function newEntangled() {
  const [account, coOwner, employer] = await Promise.all([
    newAccount(),
    newAccount(),
    newAccount(),
  ]);
  const { userId, email } = account;
  await seat(coOwner.organizationId, userId, 'OWNER');
  await seat(employer.organizationId, userId, 'ADMIN');
  await write(change(keys.user(userId), { set: { emailVerified: true } }));
  const idToken = await sandbox.issueGoogleIdToken({ email });
  const token = (await call(signInWithGoogle, { body: { idToken } })).body.authToken;
  const user = { ...account, token };
  const params = pathOf(employer.organizationId);
  const key = await call(createApiKey, { params, token, body: { name: 'Sync', role: 'MEMBER' } });
  await call(inviteMember, { params, token, body: { email: freshEmail(), role: 'VIEWER' } });
  await drainWork();

  return { user, coOwner, employer, idToken, key: String(key.body.key) };
}

type Entangled = Awaited<ReturnType<typeof newEntangled>>;

const removeEntangled = ({ user, idToken }: Entangled) => remove(user, { idToken });

async function expectGone({ user, coOwner, employer, idToken, key }: Entangled): Promise<void> {
  expect(await storedItems(`USER#${user.userId}`)).toEqual([]);
  expect(await get(keys.emailClaim(user.email))).toBeUndefined();
  expect((await call(getMe, { token: user.token })).status).toBe(401);
  expect((await call(signInWithGoogle, { body: { idToken } })).status).toBe(404);
  expect((await call(createOrganization, { token: key, body: { name: 'X' } })).status).toBe(401);
  await expectOwned(coOwner.organizationId);
  await expectOwned(employer.organizationId);
  expect(await membersOf(coOwner.organizationId)).toHaveLength(1);
  expect(await membersOf(employer.organizationId)).toHaveLength(1);
  expect(await get(keys.organization(user.organizationId))).toBeUndefined();
  const employers = await storedItems(keys.organization(employer.organizationId).pk);
  expect(employers.filter(({ sk }) => sk.startsWith('API_KEY#'))).toEqual([]);
  const invitations = employers.filter(({ sk }) => sk.startsWith('INVITATION#'));
  expect(invitations.map(({ status }) => status)).toEqual(['revoked']);
  const left = employers.filter(({ action }) => action === 'member.left');
  expect(left).toHaveLength(1);
}

/**
 * Runs the work that a crashed request left to the sweep, including the final pass of the removal.
 */
async function recover(): Promise<void> {
  for (const laterMs of [2 * minuteMs, 2 * hourMs, 3 * hourMs]) {
    setClock(() => Date.now() + laterMs);
    await runDueWork();
    await drainWork();
  }
  setClock();
}

const isDecided = async ({ user }: Entangled) => (await get(keys.user(user.userId))) === undefined;

describe('an account deletion that crashes', () => {
  it('is completed or can be repeated', async () => {
    const usual = await newEntangled();
    const lived = await untilDeath({ at: 'its answer' }, () => removeEntangled(usual));
    expect(lived.result?.status).toBe(200);
    await recover();
    await expectGone(usual);

    for (const death of deathsOf(lived.writes, depth(2, Number.POSITIVE_INFINITY))) {
      const crashed = await newEntangled();
      const { hasDied } = await untilDeath(death as Death, () => removeEntangled(crashed));
      expect(hasDied, JSON.stringify(death)).toBe(true);
      const decided = await isDecided(crashed);
      if (!decided) {
        expect((await removeEntangled(crashed)).status).toBe(200);
      }
      await recover();
      await expectGone(crashed);
    }
  });
});

const rounds = Array.from({ length: depth(2) }, (_, index) => index + 1);

describe('an account deletion leaves no organization without an owner', () => {
  it.each(rounds)('when the other owner leaves concurrently, round %i', async () => {
    const [first, second, third] = [await newAccount(), await newAccount(), await newAccount()];
    const { organizationId } = first;
    await seat(organizationId, second.userId, 'OWNER');
    await seat(organizationId, third.userId, 'MEMBER');
    const [deleted, left] = await Promise.all([
      remove(first),
      call(leaveOrganization, { params: pathOf(organizationId), token: second.token }),
    ]);

    expect([
      [200, 400],
      [409, 200],
    ]).toContainEqual([deleted.status, left.status]);
    await expectOwned(organizationId);
  });

  it('when the user becomes the only owner shortly before', async () => {
    const [owner, user, other] = [await newAccount(), await newAccount(), await newAccount()];
    const { organizationId, token } = owner;
    const params = pathOf(organizationId);
    await seat(organizationId, user.userId, 'MEMBER');
    await seat(organizationId, other.userId, 'MEMBER');
    const { status, body } = await overtaken(user, async () => {
      const promoted = { ...params, user_id: user.userId };
      await call(updateMemberRole, { params: promoted, token, body: { role: 'OWNER' } });
      expect((await call(leaveOrganization, { params, token })).status).toBe(200);
    });

    expect([status, body.organizations?.length]).toEqual([409, 1]);
    await expectOwned(organizationId);
  });

  it('when the user joins one as its only owner shortly before', async () => {
    const [owner, user] = [await newAccount(), await newAccount()];
    const params = pathOf(owner.organizationId);
    const body = { email: user.email, role: 'OWNER' };
    await call(inviteMember, { params, token: owner.token, body });
    const token = tokenIn((await mailsTo(user.email))[0]);
    const { status } = await overtaken(user, async () => {
      await call(acceptInvitation, { token: user.token, body: { token } });
      const left = await call(leaveOrganization, { params, token: owner.token });
      expect(left.status).toBe(200);
    });

    expect(status).toBe(200);
    await expectDeleted(owner.organizationId);
  });

  it('when the user creates one shortly before', async () => {
    const user = await newAccount();
    let organizationId = '';
    const { status } = await overtaken(user, async () => {
      const body = { name: 'Late engines' };
      const created = await call(createOrganization, { token: user.token, body });
      organizationId = created.body.organization.id;
    });

    expect(status).toBe(200);
    await expectDeleted(organizationId);
  });

  it('unless the password is changed shortly before', async () => {
    const user = await newAccount();
    const body = { currentPassword: password, newPassword: 'a new battery staple' };
    const { status } = await overtaken(user, () =>
      call(changePassword, { token: user.token, body }),
    );

    expect(status).toBe(409);
  });

  it('when somebody joins the only member shortly before', async () => {
    const [user, other] = [await newAccount(), await newAccount()];
    const { status } = await overtaken(user, () =>
      seat(user.organizationId, other.userId, 'MEMBER'),
    );

    expect(status).toBe(409);
    await expectOwned(user.organizationId);
  });
});

async function expectDeleted(organizationId: string): Promise<void> {
  const organization = await get<Record<string, unknown>>(keys.organization(organizationId));
  expect(organization?.deletedAt).toBeDefined();
  expect(await membersOf(organizationId)).toEqual([]);
}

/** Deletes an account, and does something else directly before the transaction that decides it. */
async function overtaken(user: Account, act: () => Promise<unknown>) {
  const key = keys.user(user.userId);
  const { answer } = await overtake({ begin: () => remove(user), key }, act);

  return answer;
}
