import { useState } from 'preact/hooks';
import { useAttempt } from '../../frame/attempts.ts';
import { useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Region } from '../../ui/section.tsx';
import { CardSelect, chosenCard } from './card-select.tsx';

const creditsPerDollar = 100;

export function Purchase() {
  const { id: organizationId } = useMembership();
  const { number } = useFormats();
  const attempt = useAttempt('purchase');
  const [amount, setAmount] = useState('25');
  const [bought, setBought] = useState<number>();
  const buying = useSend(
    async (values: Values, options) => {
      const input = {
        organizationId,
        amount: Number(values.amount),
        paymentMethodId: chosenCard(values),
      };

      return attempt(input, (idempotencyKey) =>
        client.billing.purchaseCredits(input, { ...options, idempotencyKey }),
      );
    },
    { changes: ['billing', 'transactions'] },
  );
  const credits = Math.round(Number(amount) * creditsPerDollar);

  return (
    <Region title="Buy credits" about="One US dollar buys 100 credits.">
      <Form
        sending={buying}
        action="Buy credits"
        done={`${number(bought ?? 0)} credits were added.`}
        onDone={({ transaction }) => setBought(transaction.credits)}
      >
        <div class="columns">
          <Field
            name="amount"
            label="Amount in US dollars"
            type="number"
            inputMode="decimal"
            min="5"
            max="10000"
            step="0.01"
            value={amount}
            onInput={({ currentTarget }) => setAmount(currentTarget.value)}
            hint={Number.isFinite(credits) ? `${number(credits)} credits` : undefined}
            required
          />
          <CardSelect />
        </div>
      </Form>
    </Region>
  );
}
