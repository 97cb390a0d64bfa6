import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Role, roles } from '#schemas/contract.ts';
import { leaveOrganization, removeMember, updateMemberRole } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { membershipsOf, organizationWith } from '#tests/support/organizations.ts';

// Many runs with several calls each, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Valid statuses for a change that loses a race. None of them is a server error. */
const allowedStatuses = [200, 400, 403, 404, 409];

const accounts = await Promise.all(Array.from({ length: 5 }, () => newAccount()));

function account(index: number): Account {
  const found = accounts[index];
  if (!found) {
    throw new Error(`There is no account ${index}`);
  }

  return found;
}

function leave(organizationId: string, { token }: Account): Promise<Answer> {
  return call(leaveOrganization, { params: { organization_id: organizationId }, token });
}

async function expectOwnedAndCounted(organizationId: string): Promise<void> {
  const { seats, mirroredSeats, memberCount, ownerCount, owners } =
    await membershipsOf(organizationId);
  expect(owners).toBeGreaterThanOrEqual(1);
  expect({ memberCount, ownerCount }).toEqual({ memberCount: seats.length, ownerCount: owners });
  expect(mirroredSeats).toEqual(seats);
}

test('two owners who leave concurrently leave one owner, in 50 of 50 runs', async () => {
  const [ada, grace] = [account(0), account(1)];
  for (let run = 0; run < 50; run += 1) {
    const organizationId = await organizationWith(ada, [[grace, 'OWNER']]);

    const answers = await Promise.all([leave(organizationId, ada), leave(organizationId, grace)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await membershipsOf(organizationId)).toMatchObject({
      memberCount: 1,
      ownerCount: 1,
      owners: 1,
    });
  }
});

type Move = {
  readonly kind: 'leave' | 'remove' | 'give';
  readonly actor: number;
  readonly target: number;
  readonly role: Role;
};

function performMove(organizationId: string, { kind, actor, target, role }: Move): Promise<Answer> {
  const { token } = account(actor);
  const params = { organization_id: organizationId, user_id: account(target).userId };
  if (kind === 'leave') {
    return leave(organizationId, account(actor));
  }

  return kind === 'remove'
    ? call(removeMember, { params, token })
    : call(updateMemberRole, { params, body: { role }, token });
}

const initialRoles = fc.array(fc.constantFrom<Role>('OWNER', 'OWNER', 'OWNER', 'ADMIN', 'MEMBER'), {
  minLength: 2,
  maxLength: 4,
});
const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom('leave', 'remove', 'give'),
  actor: fc.nat(4),
  target: fc.nat(4),
  role: fc.constantFrom(...roles),
});

test('random concurrent demotions, removals and departures leave an owner and exact counts', async () => {
  await fc.assert(
    fc.asyncProperty(
      initialRoles,
      fc.array(move, { minLength: 4, maxLength: 12 }),
      async (others, moves) => {
        const organizationId = await organizationWith(
          account(0),
          others.map((role, index) => [account(index + 1), role] as const),
        );

        const answers = await Promise.all(moves.map((one) => performMove(organizationId, one)));

        for (const { status } of answers) {
          expect(allowedStatuses).toContain(status);
        }
        await expectOwnedAndCounted(organizationId);
      },
    ),
    { numRuns: depth(20) },
  );
});

test('a concurrently demoted owner cannot grant ownership afterwards', async () => {
  const [ada, grace, mary] = [account(0), account(1), account(2)];
  for (let run = 0; run < 15; run += 1) {
    const organizationId = await organizationWith(ada, [
      [grace, 'OWNER'],
      [mary, 'MEMBER'],
    ]);
    const give = (by: Account, to: Account, role: Role) =>
      call(updateMemberRole, {
        params: { organization_id: organizationId, user_id: to.userId },
        body: { role },
        token: by.token,
      });

    const [demotion, promotion] = await Promise.all([
      give(ada, grace, 'VIEWER').then(async (answer) => ({
        answer,
        late: await give(grace, mary, 'OWNER'),
      })),
      give(grace, mary, 'OWNER'),
    ]);

    expect(demotion.answer.status).toBe(200);
    expect(demotion.late.status).toBe(403);
    expect([200, 403]).toContain(promotion.status);
    const { seats } = await membershipsOf(organizationId);
    expect(seats).toContain(`${mary.userId} ${promotion.status === 200 ? 'OWNER' : 'MEMBER'}`);
    await expectOwnedAndCounted(organizationId);
  }
});

test('of two concurrent mutual demotions among three owners, only one succeeds', async () => {
  const [ada, grace, mary] = [account(0), account(1), account(2)];
  for (let run = 0; run < 15; run += 1) {
    const organizationId = await organizationWith(mary, [
      [ada, 'OWNER'],
      [grace, 'OWNER'],
    ]);
    const demote = (by: Account, whom: Account) =>
      call(updateMemberRole, {
        params: { organization_id: organizationId, user_id: whom.userId },
        body: { role: 'MEMBER' },
        token: by.token,
      });

    const answers = await Promise.all([demote(ada, grace), demote(grace, ada)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    await expectOwnedAndCounted(organizationId);
  }
});
