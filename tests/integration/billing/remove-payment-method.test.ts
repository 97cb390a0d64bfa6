import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import { call } from '#tests/support/api.ts';
import { subscribe } from '#tests/support/billing.ts';
import { overtake } from '#tests/support/overtake.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

const needed =
  'Cannot remove the last payment method while a subscription is active or auto-refill is on';

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

const refill = (enabled: boolean) =>
  call(updateAutoRefillSettings, {
    token: world.owner.token,
    body: { enabled, threshold: 10, amount: 25 },
  });

describe('a payment method', () => {
  it('passes the default to the newest remaining card when removed', async () => {
    const second = await world.added();
    const third = await world.added('pm_card_amex');

    expect((await world.removePaymentMethod(third)).status).toBe(200);

    expect((await world.listPaymentMethods()).defaultPaymentMethodId).toBe(second);
    expect((await world.removePaymentMethod(world.first)).status).toBe(200);
    expect(await world.listPaymentMethods()).toMatchObject({
      total: 1,
      defaultPaymentMethodId: second,
    });
    expect(await world.removePaymentMethod(third)).toMatchObject({ status: 404 });
  });

  it('cannot be removed as the last one while a subscription runs', async () => {
    await subscribe(world.owner);

    expect(await world.removePaymentMethod(world.first)).toMatchObject({
      status: 409,
      body: { message: needed },
    });

    const second = await world.added();
    expect((await world.removePaymentMethod(world.first)).status).toBe(200);
    expect((await world.removePaymentMethod(second)).status).toBe(409);
  });

  it('cannot be removed as the last one until auto-refill is off', async () => {
    await refill(true);
    expect((await world.removePaymentMethod(world.first)).status).toBe(409);
    await refill(false);

    expect((await world.removePaymentMethod(world.first)).status).toBe(200);

    expect(await world.listPaymentMethods()).toEqual({
      paymentMethods: [],
      defaultPaymentMethodId: null,
      total: 0,
    });
  });

  it('cannot be needed by auto-refill while the last one is removed', async () => {
    const remove = () => world.removePaymentMethod(world.first);
    const { answer, other } = await overtake({ begin: remove }, () => refill(true));

    expect([answer.status, other.status]).toEqual([200, 409]);
  });

  it('stays locked by a request that overtakes the removal', async () => {
    await world.added();
    const key = keys.billing(world.owner.organizationId);
    const lock = { cardsHeldUntil: timestamp(2 * minuteMs) };
    const begin = () => world.removePaymentMethod(world.first);
    const { answer } = await overtake({ begin, key }, () => write(change(key, { set: lock })));

    expect(answer.status).toBe(409);
    expect(await get(key)).toMatchObject(lock);
  });

  it('remains as the last one under concurrent removals', async () => {
    const second = await world.added();
    await subscribe(world.owner);

    const answers = await Promise.all([
      world.removePaymentMethod(world.first),
      world.removePaymentMethod(second),
      world.removePaymentMethod(world.first),
      world.removePaymentMethod(second),
    ]);

    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
    expect((await world.listPaymentMethods()).total).toBeGreaterThan(0);
  });
});
