import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client, type GetBalanceResponse } from '../../service.ts';
import { networkNames } from '../../ui/networks.ts';
import { Region } from '../../ui/section.tsx';

export function Balance({
  balance: { credits, debt },
  autoRefill,
}: Pick<GetBalanceResponse, 'balance' | 'autoRefill'>) {
  const { number, money } = useFormats();

  return (
    <Region title="Balance" about="Each answer of an agent uses one credit.">
      <dl class="figures">
        <div class="card">
          <dt>Credits</dt>
          <dd>{number(credits)}</dd>
        </div>
        <Forecast credits={credits} />
      </dl>
      {debt > 0 && (
        <p class="notice">
          {number(debt)} credits of a refunded or disputed payment were already used. The next
          credits repay them, and agents don’t answer until then.
        </p>
      )}
      <p class="quiet">
        {autoRefill.enabled
          ? `Below ${number(autoRefill.threshold)} credits, we buy more for ${money(autoRefill.amount, 'USD')}.`
          : 'Automatic refill is off. Without credits, agents stop answering.'}
      </p>
      <NetworkCosts />
    </Region>
  );
}

/** Loaded once, because the API allows 20 billing reports a minute per user. */
function useForecast() {
  return useGet(['usage', 'forecast'], (organizationId, options) =>
    client.billing.getForecast({ organizationId }, options),
  );
}

const dayMs = 24 * 60 * 60_000;
const yearDays = 365;

function Forecast({ credits }: { readonly credits: number }) {
  const { number, date, money } = useFormats();
  const lastsUntil = (days: number) =>
    days > yearDays ? 'Over a year' : date(new Date(Date.now() + days * dayMs));

  return (
    <Loaded of={useForecast()}>
      {({ forecast: { creditsPerDay, projectedCreditsThisMonth, projectedCostUsd } }) =>
        Object.entries({
          'Credits used per day': number(creditsPerDay),
          'Lasts until':
            creditsPerDay === 0 ? 'No use yet' : lastsUntil(Math.max(0, credits) / creditsPerDay),
          'Expected this month': `${number(projectedCreditsThisMonth)} (${money(projectedCostUsd, 'USD')})`,
        }).map(([name, value]) => (
          <div key={name} class="card">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))
      }
    </Loaded>
  );
}

/** Shown after a network has charged for calls. The parent shows a failure to load. */
function NetworkCosts() {
  const { money } = useFormats();
  const costs = (useForecast().data?.forecast.networkCosts ?? []).filter(({ calls }) => calls > 0);
  if (costs.length === 0) {
    return null;
  }

  return (
    <div>
      <h3>What networks charge your app this month</h3>
      <ul class="rows">
        {costs.map(({ platform, costUsd, basis }) => (
          <li key={platform} class="row">
            <span class="row-main">
              {networkNames[platform]}
              <span class="quiet small">{basis}</span>
            </span>
            {money(costUsd, 'USD')}
          </li>
        ))}
      </ul>
    </div>
  );
}
