import { describe, expect, test } from 'vitest';
import { roles } from '#schemas/contract.ts';
import {
  createOrganizationWebhook,
  listOrganizationWebhooks,
} from '#schemas/organization-webhooks.ts';
import { removeMember } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { membershipsOf, organizationWith } from '#tests/support/organizations.ts';
import { organizationsOf, transferFirst } from './departures.ts';

const [ada, actor, target] = [await newAccount(), await newAccount(), await newAccount()];

function remove(organizationId: string, userId: string, { token } = actor) {
  const params = { organization_id: organizationId, user_id: userId };

  return call(removeMember, { params, token });
}

describe('removing a member', () => {
  test.each(roles.flatMap((by) => roles.map((whom) => [by, whom] as const)))(
    'lets %s remove %s only if the rules allow it',
    async (by, whom) => {
      const organizationId = await organizationWith(ada, [
        [actor, by],
        [target, whom],
      ]);
      const isAllowed = by === 'OWNER' || (by === 'ADMIN' && whom !== 'OWNER');

      const { status } = await remove(organizationId, target.userId);

      expect(status).toBe(isAllowed ? 200 : 403);
      const { seats, mirroredSeats, memberCount, ownerCount, owners } =
        await membershipsOf(organizationId);
      expect(seats.some((seat) => seat.startsWith(target.userId))).toBe(!isAllowed);
      expect(mirroredSeats).toEqual(seats);
      expect([memberCount, ownerCount]).toEqual([seats.length, owners]);
      expect((await organizationsOf(target)).includes(organizationId)).toBe(!isAllowed);
    },
  );

  test('lists the webhooks that the member created, which are kept', async () => {
    const organizationId = await organizationWith(actor, [[target, 'ADMIN']]);
    const params = { organization_id: organizationId };
    const makeWebhook = ({ token }: Account, name: string) =>
      call(createOrganizationWebhook, {
        params,
        token,
        body: { url: `https://hooks.example.com/${name}`, events: ['*'] },
      });
    await makeWebhook(actor, 'own');
    const { webhook } = (await makeWebhook(target, 'theirs')).body;
    const { webhookSecret: _, ...shown } = webhook;

    const { status, body } = await remove(organizationId, target.userId);

    expect([status, body.message]).toEqual([200, 'Member removed successfully']);
    expect(body.webhooks).toEqual([shown]);
    const { webhooks } = (await call(listOrganizationWebhooks, { params, token: actor.token }))
      .body;
    expect(webhooks).toHaveLength(2);
  });

  test('returns 404 for a member who was already removed', async () => {
    const organizationId = await organizationWith(actor, [[target, 'MEMBER']]);
    await remove(organizationId, target.userId);

    expect((await remove(organizationId, target.userId)).status).toBe(404);
  });

  test('does not let the last owner remove themselves', async () => {
    const organizationId = await organizationWith(actor, [[target, 'ADMIN']]);

    const { status, body } = await remove(organizationId, actor.userId);

    expect([status, body.message]).toEqual([400, transferFirst]);
    expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 2, ownerCount: 1 });
  });

  test.each(['OWNER', 'ADMIN'] as const)('lets %s remove themselves', async (role) => {
    const organizationId = await organizationWith(ada, [[actor, role]]);

    expect((await remove(organizationId, actor.userId)).status).toBe(200);

    expect(await membershipsOf(organizationId)).toMatchObject({ memberCount: 1, ownerCount: 1 });
  });
});
