import { Plus } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { Loaded, useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { CardField, type ReadCard } from '../../ui/card-field.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { Region } from '../../ui/section.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { nameOf, type Card as SavedCard, useCards } from './card-select.tsx';

const effects = { changes: ['billing'] } as const;

export function Cards() {
  return (
    <Region title="Cards" about="The default card pays for the plan and automatic refills.">
      <AddCard />
      <Loaded of={useCards()}>
        {({ paymentMethods }) =>
          paymentMethods.length === 0 ? (
            <Empty title="No cards yet" />
          ) : (
            <ul class="rows">
              {paymentMethods.map((card) => (
                <Card key={card.id} card={card} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Region>
  );
}

function AddCard() {
  const { id: organizationId } = useMembership();
  const [isOpen, setIsOpen] = useState(false);
  const reader = useRef<ReadCard>(async () => '');
  const adding = useSend(async (values: Values, options) => {
    const paymentMethodId = await reader.current(values, async () => {
      const { clientSecret } = await client.billing.createSetupIntent({ organizationId });

      return clientSecret;
    });

    return client.billing.addPaymentMethod({ organizationId, paymentMethodId }, options);
  }, effects);
  if (!isOpen) {
    return (
      <div class="actions">
        <button type="button" class="button" onClick={() => setIsOpen(true)}>
          <Plus aria-hidden="true" />
          Add card
        </button>
      </div>
    );
  }

  return (
    <Form
      class="card"
      sending={adding}
      action="Add card"
      onDone={() => setIsOpen(false)}
      aside={
        <button type="button" class="button" onClick={() => setIsOpen(false)}>
          Cancel
        </button>
      }
    >
      <CardField reader={reader} />
    </Form>
  );
}

function Card({ card }: { readonly card: SavedCard }) {
  const { id: paymentMethodId, isDefault } = card;
  const { expiryMonth, expiryYear } = card.card;
  const { id: organizationId } = useMembership();
  const [isRemoving, setIsRemoving] = useState(false);
  const choosing = useSend(
    () => client.billing.setDefaultPaymentMethod({ organizationId, paymentMethodId }),
    effects,
  );
  const removing = useSend(
    () => client.billing.removePaymentMethod({ organizationId, paymentMethodId }),
    effects,
  );
  const name = nameOf(card);

  return (
    <li class="row">
      <div class="row-main">
        <span>{name}</span>
        <span class="quiet small">
          Expires {String(expiryMonth).padStart(2, '0')}/{expiryYear}
        </span>
      </div>
      {isDefault ? (
        <span class="badge success">Default</span>
      ) : (
        <button
          type="button"
          class="button"
          aria-disabled={choosing.isSending}
          onClick={() => choosing.isSending || void choosing.send().catch(() => undefined)}
        >
          Make default<span class="hidden"> {name}</span>
        </button>
      )}
      <button type="button" class="button" onClick={() => setIsRemoving(true)}>
        Remove<span class="hidden"> {name}</span>
      </button>
      <Failed of={choosing} />
      {isRemoving && (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove"
          sending={removing}
          onClose={() => setIsRemoving(false)}
        >
          <p>If it is the default, the newest other card becomes the default.</p>
        </Confirm>
      )}
    </li>
  );
}
