import { MoreHorizontal, Plus } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { eventTypes } from '../../../../../schemas/event-types.ts';
import { Loaded, More, useGet, usePages, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import {
  client,
  type EventName,
  type OrganizationWebhook,
  type WebhookDelivery,
} from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Checkbox, Field, Form, type Values } from '../../ui/form.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { ShownOnce } from './shown-once.tsx';

export function Webhooks() {
  const webhooks = useGet(['settings', 'webhooks'], (organizationId, options) =>
    client.organizations.listWebhooks({ organizationId }, options),
  );
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);

  return (
    <Section title="Webhooks" about="We send events to your address, signed by Standard Webhooks.">
      {secret !== null && (
        <ShownOnce label="Signing secret" secret={secret} onDone={() => setSecret(null)} />
      )}
      {isAdding ? (
        <Edit onClose={() => setIsAdding(false)} onSecret={setSecret} />
      ) : (
        <div class="actions">
          <button type="button" class="button primary" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden="true" />
            Add webhook
          </button>
        </div>
      )}
      <Loaded of={webhooks}>
        {({ webhooks: all }) =>
          all.length === 0 ? (
            <Empty title="No webhooks yet" />
          ) : (
            all.map((webhook) => <Webhook key={webhook.id} {...webhook} onSecret={setSecret} />)
          )
        }
      </Loaded>
    </Section>
  );
}

/** A form that adds or changes a webhook. */
function Edit({
  webhook,
  onClose,
  onSecret,
}: {
  readonly webhook?: OrganizationWebhook;
  readonly onClose: () => void;
  readonly onSecret: (secret: string | null) => void;
}) {
  const { id: organizationId } = useMembership();
  const [isAll, setIsAll] = useState(webhook?.events.includes('*') ?? true);
  const saving = useSend(
    async (values: Values, options) => {
      const input = {
        organizationId,
        url: values.url ?? '',
        description: values.description || null,
        events: isAll ? (['*'] as const) : eventTypes.filter((type) => values[type] !== undefined),
      };
      if (webhook) {
        await client.organizations.updateWebhook({ ...input, webhookId: webhook.id }, options);

        return null;
      }
      const { webhook: added } = await client.organizations.createWebhook(input, options);

      return added.webhookSecret;
    },
    { changes: ['settings'] },
  );

  return (
    <Form
      class="card"
      sending={saving}
      action={webhook ? 'Save webhook' : 'Create webhook'}
      onDone={(secret) => {
        onClose();
        if (secret !== null) {
          onSecret(secret);
        }
      }}
      aside={
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <Field
        name="url"
        label="URL"
        type="url"
        placeholder="https://"
        defaultValue={webhook?.url ?? ''}
        required
        autofocus
      />
      <Field
        name="description"
        label="Description (optional)"
        defaultValue={webhook?.description ?? ''}
      />
      <fieldset>
        <legend>Events</legend>
        <Checkbox
          name="all"
          label="All events"
          defaultChecked={isAll}
          onChange={({ currentTarget }) => setIsAll(currentTarget.checked)}
        />
        {!isAll && (
          <div class="columns events">
            {eventTypes.map((type: EventName) => (
              <Checkbox
                key={type}
                name={type}
                label={type}
                defaultChecked={webhook?.events.includes(type) ?? false}
              />
            ))}
          </div>
        )}
      </fieldset>
    </Form>
  );
}

function Webhook({
  onSecret,
  ...webhook
}: OrganizationWebhook & { readonly onSecret: (secret: string | null) => void }) {
  const { id: webhookId, url, description, events, isActive, disabledReason } = webhook;
  const { id: organizationId } = useMembership();
  const [shown, setShown] = useState<'edit' | 'delete'>();
  const close = () => setShown(undefined);
  const target = { organizationId, webhookId };
  const changing = useSend(
    async (action: 'switch' | 'test' | 'rotate', options) => {
      if (action === 'switch') {
        await client.organizations.updateWebhook({ ...target, isActive: !isActive }, options);
      } else if (action === 'test') {
        await client.organizations.testWebhook(target, options);
      } else {
        onSecret((await client.organizations.rotateWebhookSecret(target, options)).webhookSecret);
      }
    },
    { changes: ['settings'] },
  );
  const deleting = useSend(() => client.organizations.deleteWebhook(target), {
    changes: ['settings'],
  });
  const change = (action: 'switch' | 'test' | 'rotate') =>
    void changing.send(action).catch(() => undefined);
  if (shown === 'edit') {
    return <Edit webhook={webhook} onClose={close} onSecret={onSecret} />;
  }

  return (
    <article class="card stack" aria-label={url}>
      <header class="row">
        <div class="row-main">
          <h3>{url}</h3>
          <span class="quiet small">
            {description && `${description} · `}
            {events.includes('*') ? 'All events' : events.join(', ')}
          </span>
        </div>
        <span class={isActive ? 'badge success' : 'badge warning'}>{isActive ? 'On' : 'Off'}</span>
        <Menu
          label={`Actions for ${url}`}
          class="icon-button"
          button={<MoreHorizontal aria-hidden="true" />}
        >
          <button type="button" onClick={() => setShown('edit')}>
            Edit
          </button>
          {isActive && (
            <button type="button" onClick={() => change('test')}>
              Send test event
            </button>
          )}
          <button type="button" onClick={() => change('switch')}>
            {isActive ? 'Switch off' : 'Switch on'}
          </button>
          <button type="button" onClick={() => change('rotate')}>
            Replace secret
          </button>
          <button type="button" onClick={() => setShown('delete')}>
            Delete
          </button>
        </Menu>
      </header>
      {disabledReason && <p class="notice">Switched off: {disabledReason}</p>}
      <Failed of={changing} />
      <Deliveries webhookId={webhookId} />
      {shown === 'delete' && (
        <Confirm title={`Delete ${url}?`} action="Delete" sending={deleting} onClose={close}>
          <p>We stop sending events to this address, and its deliveries are removed.</p>
        </Confirm>
      )}
    </article>
  );
}

/** The service attempts a delivery within seconds after an event. */
const readAgainMs = 2_000;

function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const deliveries = usePages(
    ['settings', 'deliveries', webhookId],
    (organizationId, page, options) =>
      client.organizations.listWebhookDeliveries({ organizationId, webhookId, ...page }, options),
    { limit: 5 },
  );
  const { data, dataUpdatedAt, refetch } = deliveries;
  useEffect(() => {
    const all = data?.pages.flatMap((page) => page.deliveries) ?? [];
    if (!all.some(isBeingSent)) {
      return undefined;
    }
    const timer = setTimeout(() => void refetch(), readAgainMs);

    return () => clearTimeout(timer);
  }, [dataUpdatedAt]);

  return (
    <Loaded of={deliveries}>
      {({ pages }) => {
        const all = pages.flatMap((page) => page.deliveries);

        return all.length === 0 ? (
          <p class="quiet">No deliveries in the last 30 days.</p>
        ) : (
          <>
            <ul class="rows">
              {all.map((delivery) => (
                <Delivery key={delivery.id} webhookId={webhookId} {...delivery} />
              ))}
            </ul>
            <More of={deliveries} />
          </>
        );
      }}
    </Loaded>
  );
}

function isBeingSent({ status, nextAttemptAt }: WebhookDelivery): boolean {
  const dueMs = nextAttemptAt === null ? 0 : new Date(nextAttemptAt).getTime() - Date.now();

  return status === 'PENDING' && dueMs < 10 * readAgainMs;
}

const statusNames = { PENDING: 'Sending', DELIVERED: 'Delivered', FAILED: 'Failed' } as const;
const statusStyles = { PENDING: '', DELIVERED: 'success', FAILED: 'danger' } as const;

function Delivery({ webhookId, ...delivery }: WebhookDelivery & { readonly webhookId: string }) {
  const { id: deliveryId, type, status, attempts, responseStatus, failureReason } = delivery;
  const { id: organizationId } = useMembership();
  const { dateTime, number } = useFormats();
  const replaying = useSend(
    (_: undefined, options) =>
      client.organizations.replayWebhookDelivery(
        { organizationId, webhookId, deliveryId },
        options,
      ),
    { changes: ['settings'] },
  );

  return (
    <li class="row">
      <div class="row-main">
        <span>{type}</span>
        <span class="quiet small">
          {[
            dateTime(delivery.createdAt),
            attempts > 1 && `${number(attempts)} attempts`,
            responseStatus !== null && `Status ${responseStatus}`,
            failureReason,
            delivery.nextAttemptAt && `Next attempt ${dateTime(delivery.nextAttemptAt)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <span class={`badge ${statusStyles[status]}`}>{statusNames[status]}</span>
      {status !== 'PENDING' && (
        <button
          type="button"
          class="button"
          aria-disabled={replaying.isSending}
          onClick={() => replaying.isSending || void replaying.send().catch(() => undefined)}
        >
          Send again
        </button>
      )}
      <Failed of={replaying} />
    </li>
  );
}
