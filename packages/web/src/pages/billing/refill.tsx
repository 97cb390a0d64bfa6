import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Checkbox, Field, Form, type Values } from '../../ui/form.tsx';
import { Region } from '../../ui/section.tsx';

export function Refill() {
  const { id: organizationId } = useMembership();
  const { date, dateTime } = useFormats();
  const settings = useGet(['billing', 'refill'], (id, options) =>
    client.billing.getAutoRefillSettings({ organizationId: id }, options),
  );
  const saving = useSend(
    ({ enabled, threshold, amount, monthlyCap }: Values, options) =>
      client.billing.updateAutoRefillSettings(
        {
          organizationId,
          enabled: enabled !== undefined,
          threshold: Number(threshold),
          amount: Number(amount),
          monthlyCap: Number(monthlyCap),
        },
        options,
      ),
    { changes: ['billing'] },
  );

  return (
    <Region
      title="Automatic refill"
      about="Buys credits with the default card before they run out."
    >
      <Loaded of={settings}>
        {({ autoRefill: { enabled, threshold, amount, monthlyCap, lastRefill, nextRefill } }) => (
          <>
            {nextRefill && (
              <p class="notice">
                The card was declined. We try again on {dateTime(nextRefill)}. Saving tries at once.
              </p>
            )}
            <Form sending={saving} action="Save" done="Saved">
              <Checkbox name="enabled" label="Refill automatically" defaultChecked={enabled} />
              <div class="columns">
                <Field
                  name="threshold"
                  label="Below this many credits"
                  type="number"
                  min="0"
                  step="1"
                  defaultValue={String(threshold)}
                  required
                />
                <Field
                  name="amount"
                  label="Buy for (US dollars)"
                  type="number"
                  min="5"
                  step="0.01"
                  defaultValue={String(amount)}
                  required
                />
                <Field
                  name="monthlyCap"
                  label="Monthly limit (US dollars)"
                  type="number"
                  min="5"
                  step="0.01"
                  defaultValue={String(monthlyCap)}
                  required
                />
              </div>
            </Form>
            {lastRefill && <p class="quiet">The last refill was on {date(lastRefill)}.</p>}
          </>
        )}
      </Loaded>
    </Region>
  );
}
