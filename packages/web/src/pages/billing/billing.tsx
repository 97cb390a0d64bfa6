import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useMembership, useUser } from '../../frame/session.tsx';
import { client, SocialLeadsError } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Region } from '../../ui/section.tsx';
import { Balance } from './balance.tsx';
import { Cards } from './cards.tsx';
import { Invoices } from './invoices.tsx';
import { Plan } from './plan.tsx';
import { Purchase } from './purchase.tsx';
import { Refill } from './refill.tsx';
import { Transactions } from './transactions.tsx';
import { Usage } from './usage.tsx';

export function Area() {
  const balance = useGet(['billing', 'balance'], (organizationId, options) =>
    client.billing.getBalance({ organizationId }, options),
  );
  const isMissing =
    balance.error instanceof SocialLeadsError && balance.error.code === 'BILLING_NOT_SET_UP';

  return (
    <Page title="Billing">
      {isMissing ? (
        <SetUp />
      ) : (
        <Loaded of={balance}>
          {(loaded) => (
            <div class="settings">
              <Balance balance={loaded.balance} autoRefill={loaded.autoRefill} />
              <Purchase />
              <Refill />
              <Plan />
              <Cards />
              <Usage />
              <Transactions />
              <Invoices />
            </div>
          )}
        </Loaded>
      )}
    </Page>
  );
}

/** Organizations that were not created by a signup have no billing yet. */
function SetUp() {
  const { id: organizationId, name: organizationName } = useMembership();
  const { email: ownEmail } = useUser();
  const settingUp = useSend(
    ({ email = '', name = '' }: Values, options) =>
      client.billing.setUp({ organizationId, email, name }, options),
    { changes: ['billing'] },
  );

  return (
    <Region title="Set up billing" about="Then you can add a card, buy credits and choose a plan.">
      <Form sending={settingUp} action="Set up billing">
        <div class="columns">
          <Field name="name" label="Name on invoices" defaultValue={organizationName} required />
          <Field
            name="email"
            label="Email for invoices"
            type="email"
            defaultValue={ownEmail}
            required
          />
        </div>
      </Form>
    </Region>
  );
}
