import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import {
  client,
  type ListPlansResponse,
  SocialLeadsError,
  type Subscription,
} from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';

export type PlanOffer = ListPlansResponse['plans'][number];

/** Shows the price and the credits of a plan change before it is made. */
export function ChangePlan({
  to,
  current,
  onClose,
}: {
  readonly to: PlanOffer;
  readonly current: Subscription;
  readonly onClose: () => void;
}) {
  const { id: organizationId } = useMembership();
  const changing = useSend(
    async (_: undefined, options) => {
      try {
        await client.billing.changePlan({ organizationId, planId: to.id }, options);
      } catch (error) {
        // The first request has made the change but its response was lost, or another tab has made
        // it.
        if (!(error instanceof SocialLeadsError && error.code === 'PLAN_UNCHANGED')) {
          throw error;
        }
      }
    },
    { changes: ['billing', 'invoices', 'transactions'] },
  );

  return (
    <Confirm
      title={`Change to ${to.name}`}
      action="Change plan"
      style="primary"
      sending={changing}
      onClose={onClose}
    >
      <Preview to={to} current={current} />
    </Confirm>
  );
}

function Preview({ to, current }: { readonly to: PlanOffer; readonly current: Subscription }) {
  const { date, money, number } = useFormats();
  const preview = useGet(['billing', 'preview', to.id], (organizationId, options) =>
    client.billing.previewPlanChange({ organizationId, planId: to.id }, options),
  );
  const price = `${money(to.amount / 100, to.currency)} a ${to.interval}`;

  return (
    <Loaded of={preview}>
      {({ preview: { startsAt, amount, currency, credits } }) => {
        const isLater = new Date(startsAt) >= new Date(current.currentPeriodEnd);
        if (isLater) {
          return (
            <p>
              Nothing is charged now. {current.plan.name} stays until {date(startsAt)}, then{' '}
              {to.name} begins for {price}.
            </p>
          );
        }

        return (
          <>
            <p>
              {amount === 0
                ? 'Nothing is charged now.'
                : `You pay ${money(amount / 100, currency)} now for the rest of the period, until ${date(current.currentPeriodEnd)}.`}
              {credits > 0 && ` ${number(credits)} credits are added.`}
            </p>
            <p>
              Then {to.name} costs {price}.
            </p>
          </>
        );
      }}
    </Loaded>
  );
}
