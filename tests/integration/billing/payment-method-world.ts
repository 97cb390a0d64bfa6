import * as billing from '#schemas/billing-subscription.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { defaultCardOf } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';

export type PaymentMethodWorld = Awaited<ReturnType<typeof paymentMethodWorld>>;

/** Creates an organization with one card, at a provider without earlier faults. */
export async function paymentMethodWorld() {
  await sandbox.reset();
  const owner = await newAccount();
  const first = await defaultCardOf(owner.organizationId);

  const addPaymentMethod = (paymentMethodId: string) =>
    call(billing.addPaymentMethod, { token: owner.token, body: { paymentMethodId } });

  const added = async (testCard = 'pm_card_mastercard'): Promise<string> =>
    (await addPaymentMethod(testCard)).body.paymentMethodId;

  const removePaymentMethod = (id: string) =>
    call(billing.removePaymentMethod, { token: owner.token, params: { payment_method_id: id } });

  const listPaymentMethods = async () =>
    (await call(billing.listPaymentMethods, { token: owner.token })).body;

  async function actions(): Promise<readonly unknown[]> {
    const items = await storedItems(`ORG#${owner.organizationId}`);

    return items.flatMap(({ action }) =>
      String(action).includes('payment_method') ? [action] : [],
    );
  }

  return {
    owner,
    first,
    addPaymentMethod,
    added,
    removePaymentMethod,
    listPaymentMethods,
    actions,
  };
}
