import { useState } from 'preact/hooks';
import { useAttempt } from '../../frame/attempts.ts';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { type CallOptions, client, SocialLeadsError, type Subscription } from '../../service.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { Region } from '../../ui/section.tsx';
import { CardSelect, chosenCard } from './card-select.tsx';
import { ChangePlan, type PlanOffer } from './change-plan.tsx';

const codeOf = (error: unknown) => (error instanceof SocialLeadsError ? error.code : undefined);

export function Plan() {
  const plan = useGet(['billing', 'plan'], async (organizationId, options) => {
    const [{ plans }, current] = await Promise.all([
      client.billing.listPlans({}, options),
      findSubscription(organizationId, options),
    ]);

    return { plans, current };
  });

  return (
    <Region title="Plan" about="A plan adds credits each month.">
      <Loaded of={plan}>
        {({ plans, current }) => (
          <>
            {current && <Current subscription={current} />}
            <Offers offers={plans} current={current} />
          </>
        )}
      </Loaded>
    </Region>
  );
}

async function findSubscription(
  organizationId: string,
  options: CallOptions,
): Promise<Subscription | null> {
  try {
    return (await client.billing.getSubscription({ organizationId }, options)).subscription;
  } catch (error) {
    if (codeOf(error) === 'SUBSCRIPTION_NOT_FOUND') {
      return null;
    }
    throw error;
  }
}

const statusNames: Readonly<Record<Subscription['status'], string>> = {
  active: 'Active',
  trialing: 'Trial',
  paused: 'Paused',
  past_due: 'Payment failed',
  unpaid: 'Unpaid',
  incomplete: 'Incomplete',
  canceled: 'Canceled',
};

function Current({ subscription }: { readonly subscription: Subscription }) {
  const { status, plan, cancelAtPeriodEnd, currentPeriodEnd, nextBillingDate } = subscription;
  const { id: organizationId } = useMembership();
  const { date } = useFormats();
  const [isCanceling, setIsCanceling] = useState(false);
  const [isPausing, setIsPausing] = useState(false);
  const effects = { changes: ['billing'] } as const;
  const canceling = useSend(() => client.billing.cancelSubscription({ organizationId }), effects);
  const pausing = useSend(
    (_: undefined, options: CallOptions) =>
      client.billing.pauseSubscription({ organizationId }, options),
    effects,
  );
  const resuming = useSend(
    (_: Values, options: CallOptions) =>
      client.billing.resumeSubscription({ organizationId }, options),
    effects,
  );
  const isPaused = status === 'paused';
  const isRunning = status === 'active' || status === 'trialing';

  return (
    <div class="card stack">
      <div class="row">
        <span class="row-main">
          <strong>{plan.name}</strong>
          <span class="quiet small">
            {cancelAtPeriodEnd
              ? `Ends on ${date(currentPeriodEnd)}`
              : nextBillingDate && `Renews on ${date(nextBillingDate)}`}
          </span>
        </span>
        <span class={`badge ${isRunning ? 'success' : 'warning'}`}>{statusNames[status]}</span>
      </div>
      {(status === 'past_due' || status === 'unpaid') && (
        <p class="notice">
          The last payment failed. Add a card or make another one the default to pay now.
        </p>
      )}
      {isPaused || cancelAtPeriodEnd ? (
        <Form sending={resuming} action={isPaused ? 'Resume plan' : 'Keep plan'}>
          {null}
        </Form>
      ) : (
        <div class="actions">
          <button type="button" class="button" onClick={() => setIsPausing(true)}>
            Pause plan
          </button>
          <button type="button" class="button" onClick={() => setIsCanceling(true)}>
            Cancel plan
          </button>
        </div>
      )}
      {isPausing && (
        <Confirm
          title="Pause the plan?"
          action="Pause"
          sending={pausing}
          onClose={() => setIsPausing(false)}
        >
          <p>Until you resume it, nothing is charged, and agents don’t answer.</p>
        </Confirm>
      )}
      {isCanceling && (
        <Confirm
          title="Cancel the plan?"
          action="Cancel at the end of the period"
          sending={canceling}
          onClose={() => setIsCanceling(false)}
        >
          <p>It stays until {date(currentPeriodEnd)}, and isn’t charged again. Credits stay.</p>
        </Confirm>
      )}
    </div>
  );
}

function Offers({
  offers,
  current,
}: {
  readonly offers: readonly PlanOffer[];
  readonly current: Subscription | null;
}) {
  const { number, money } = useFormats();
  const [chosen, setChosen] = useState<PlanOffer>();
  const next = current?.pendingPlanId ?? current?.plan.id;
  const canChoose =
    !current || (['active', 'trialing'].includes(current.status) && !current.cancelAtPeriodEnd);

  return (
    <>
      <ul class="plans">
        {offers.map((plan) => (
          <li key={plan.id} class="card stack">
            <h3>{plan.name}</h3>
            <p>
              <span class="figure">{money(plan.amount / 100, plan.currency)}</span>{' '}
              <span class="quiet">a {plan.interval}</span>
            </p>
            <p class="quiet">
              {number(plan.monthlyCredits)} credits a {plan.interval}
              {!current && plan.trialDays > 0 && `, ${number(plan.trialDays)} days free`}
            </p>
            {plan.id === current?.plan.id && <p class="badge success">Current plan</p>}
            {plan.id === current?.pendingPlanId && <p class="badge">Next plan</p>}
            {canChoose && plan.id !== next && (
              <button type="button" class="button" onClick={() => setChosen(plan)}>
                Choose {plan.name}
              </button>
            )}
          </li>
        ))}
      </ul>
      {chosen &&
        (current ? (
          <ChangePlan to={chosen} current={current} onClose={() => setChosen(undefined)} />
        ) : (
          <Subscribe to={chosen} onClose={() => setChosen(undefined)} />
        ))}
    </>
  );
}

function Subscribe({ to, onClose }: { readonly to: PlanOffer; readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const { money, number } = useFormats();
  const attempt = useAttempt('subscription');
  const subscribing = useSend(
    async (values: Values, options) => {
      const input = { organizationId, planId: to.id, paymentMethodId: chosenCard(values) };
      try {
        await attempt(input, (idempotencyKey) =>
          client.billing.createSubscription(input, { ...options, idempotencyKey }),
        );
      } catch (error) {
        // The first request succeeded, but its response was lost.
        if (codeOf(error) !== 'SUBSCRIPTION_EXISTS') {
          throw error;
        }
      }
    },
    { changes: ['billing', 'invoices', 'transactions'] },
  );

  return (
    <Dialog title={`Subscribe to ${to.name}`} onClose={onClose}>
      <p>
        {to.trialDays > 0
          ? `The first ${number(to.trialDays)} days are free if the organization had no trial yet. `
          : ''}
        You pay {money(to.amount / 100, to.currency)} now and each {to.interval}, and get{' '}
        {number(to.monthlyCredits)} credits each time.
      </p>
      <Form sending={subscribing} action="Subscribe" onDone={onClose}>
        <CardSelect />
      </Form>
    </Dialog>
  );
}
