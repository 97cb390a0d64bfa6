import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { html, table, time } from '../../frame/html.ts';
import { jsonAnswer, parseJson, refusal } from '../../frame/http.ts';
import type {
  ControlRoute,
  PageSection,
  SandboxRequest,
  ServiceContext,
} from '../../frame/service.ts';
import { fromSecrets } from '../secret-document.ts';
import type { StripeObject } from './route.ts';
import { randomText } from './store.ts';

const apiVersion = '2026-10-28.endive';
const webhookPath = '/billing/webhook';
const deliveryTimeoutMs = 10_000;
const maximumKept = 1_000;

type StripeEvent = StripeObject & {
  readonly id: string;
  readonly type: string;
  readonly created: number;
};

type Sent = { readonly event: StripeEvent; statuses: readonly (number | null)[] };

/** Sends the provider's events to the service and records the responses. */
export type EventCenter = {
  /** Sends one of the provider's own events, once. */
  readonly emit: (type: string, object: StripeObject) => void;
  /** Resolves once every event has been acknowledged or abandoned. */
  readonly settled: () => Promise<void>;
  readonly control: readonly ControlRoute[];
  readonly section: () => PageSection;
  readonly clear: () => void;
};

const eventRequest = z.strictObject({
  type: z.string().min(1),
  object: z.record(z.string(), z.unknown()),
  eventId: z.string().min(1).optional(),
  deliveries: z.int().min(0).max(1_000).default(1),
});

const deliveryRequest = z.strictObject({
  /** How often each event is delivered. */
  copies: z.int().min(1).max(20).default(1),
  /** Waits until no event has occurred for this long, and then delivers the newest first. */
  reverseAfterMs: z.int().min(0).max(10_000).default(0),
});

/**
 * Signs events as Stripe does and delivers them as soon as the service's URL is known. Deliveries
 * are not retried. Like Stripe, they may be repeated and out of order: see `/stripe/delivery`.
 */
export function createEventCenter(
  { clock, secrets, serviceUrl }: ServiceContext,
  amend: (type: string, object: StripeObject) => StripeObject,
): EventCenter {
  const sent: Sent[] = [];
  const pendingDeliveries = new Set<Promise<void>>();
  const make = (type: string, object: StripeObject, id = `evt_1${randomText(23)}`): Sent => {
    const entry: Sent = { event: newEvent(id, type, object, clock()), statuses: [] };
    sent.push(entry);
    sent.splice(0, Math.max(0, sent.length - maximumKept));

    return entry;
  };
  const deliver = async (entry: Sent, times: number): Promise<void> => {
    const url = serviceUrl();
    const payload = JSON.stringify(entry.event);
    const signature = signatureOf(payload, webhookSecretOf(secrets), clock());
    const statuses = await Promise.all(
      Array.from({ length: url === undefined ? 0 : times }, () =>
        post(`${url}${webhookPath}`, payload, signature),
      ),
    );
    entry.statuses = [...entry.statuses, ...statuses];
  };

  let mode = deliveryRequest.parse({});
  let held: Sent[] = [];
  let release: NodeJS.Timeout | undefined;
  const track = (delivery: Promise<void>): void => {
    const pending = delivery.finally(() => pendingDeliveries.delete(pending));
    pendingDeliveries.add(pending);
  };
  const hold = (entry: Sent): void => {
    held.push(entry);
    if (held.length === 1) {
      track(untilReleased());
    } else {
      release?.refresh();
    }
  };
  const untilReleased = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      release = setTimeout(resolve, mode.reverseAfterMs);
    });
    const newestFirst = held.toReversed();
    held = [];
    for (const entry of newestFirst) {
      await deliver(entry, mode.copies);
    }
  };

  return {
    emit: (type, object) => {
      const entry = make(type, object);
      if (mode.reverseAfterMs > 0) {
        hold(entry);
      } else {
        track(deliver(entry, mode.copies));
      }
    },
    settled: async () => {
      await Promise.all(pendingDeliveries);
    },
    control: [
      {
        method: 'POST',
        path: /^\/stripe\/events$/,
        answer: async (request: SandboxRequest) => {
          const parsed = eventRequest.safeParse(parseJson(request.body));
          if (!parsed.success) {
            return refusal(400, parsed.error.issues.map(({ message }) => message).join('; '));
          }
          const { type, object, eventId, deliveries } = parsed.data;
          const entry = make(type, amend(type, object), eventId);
          await deliver(entry, deliveries);
          const payload = JSON.stringify(entry.event);

          return jsonAnswer(200, {
            eventId: entry.event.id,
            responses: entry.statuses.map((status) => ({ status })),
            payload,
            signature: signatureOf(payload, webhookSecretOf(secrets), clock()),
          });
        },
      },
      {
        method: 'PUT',
        path: /^\/stripe\/delivery$/,
        answer: async (request: SandboxRequest) => {
          const parsed = deliveryRequest.safeParse(parseJson(request.body));
          if (!parsed.success) {
            return refusal(400, parsed.error.issues.map(({ message }) => message).join('; '));
          }
          await Promise.all(pendingDeliveries);
          mode = parsed.data;

          return jsonAnswer(200, mode);
        },
      },
      {
        method: 'GET',
        path: /^\/stripe\/events$/,
        answer: () =>
          jsonAnswer(200, {
            events: sent.map(({ event, statuses }) => {
              const payload = JSON.stringify(event);

              return {
                id: event.id,
                type: event.type,
                statuses,
                payload,
                signature: signatureOf(payload, webhookSecretOf(secrets), clock()),
              };
            }),
          }),
      },
    ],
    section: () => eventSection(sent),
    clear: () => {
      sent.length = 0;
      mode = deliveryRequest.parse({});
    },
  };
}

function newEvent(id: string, type: string, object: StripeObject, at: Date): StripeEvent {
  return {
    id,
    object: 'event',
    api_version: apiVersion,
    created: Math.floor(at.getTime() / 1_000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

/** Stripe's signature header: the time and an HMAC over the time and the body. */
function signatureOf(payload: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');

  return `t=${seconds},v1=${digest}`;
}

const webhookSecrets = z.object({ stripeWebhookSecrets: z.array(z.string()).min(1) });

/** Returns the service's webhook secret. A real account shares this secret with the service. */
function webhookSecretOf(secrets: Readonly<Record<string, string>>): string {
  const document = fromSecrets(secrets, webhookSecrets);

  return document?.stripeWebhookSecrets[0] ?? 'whsec_sandbox';
}

/** Returns the response status, or null if there was no response. */
async function post(url: string, body: string, signature: string): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signature,
      },
      body,
      signal: AbortSignal.timeout(deliveryTimeoutMs),
    });
    await response.arrayBuffer();

    return response.status;
  } catch {
    return null;
  }
}

function eventSection(sent: readonly Sent[]): PageSection {
  const rows = sent
    .slice(-50)
    .toReversed()
    .map(({ event, statuses }) => [
      html`<code>${event.id}</code>`,
      event.type,
      statuses.map((status) => status ?? 'no answer').join(', '),
      time(new Date(event.created * 1_000)),
    ]);

  return {
    id: 'payment-events',
    title: 'Payment events',
    content: table(
      'Payment provider events, newest first',
      ['ID', 'Type', 'Responses', 'Created (UTC)'],
      rows,
      'No events yet.',
    ),
  };
}
