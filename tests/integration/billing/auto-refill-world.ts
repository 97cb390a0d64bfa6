import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import * as billing from '#schemas/billing.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

export type AutoRefillWorld = Awaited<ReturnType<typeof autoRefillWorld>>;

/** Creates an organization and sets its auto-refill. */
export async function autoRefillWorld() {
  const owner = await newAccount();
  const organizationId = owner.organizationId;

  function updateAutoRefillSettings(settings: object = {}) {
    return call(billing.updateAutoRefillSettings, {
      token: owner.token,
      body: { enabled: true, threshold: 100, amount: 10, ...settings },
    });
  }

  /** Keeps the balance below the threshold, however often it is refilled. */
  async function refillAlways(settings: object = {}) {
    const answer = await updateAutoRefillSettings({ threshold: 0, ...settings });
    await write(change(keys.balance(organizationId), { set: { refillThreshold: 10_000 } }));

    return answer;
  }

  async function settings() {
    return (await call(billing.getAutoRefillSettings, { token: owner.token })).body.autoRefill;
  }

  return { owner, organizationId, updateAutoRefillSettings, refillAlways, settings };
}
