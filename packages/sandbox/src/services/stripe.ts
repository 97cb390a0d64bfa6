import * as z from 'zod';
import { html, table, time } from '../frame/html.ts';
import { decodePart, jsonAnswer, parseJson, refusal } from '../frame/http.ts';
import type {
  ControlRoute,
  PageSection,
  SandboxAnswer,
  SandboxRequest,
  SandboxService,
  ServiceContext,
} from '../frame/service.ts';
import { type ApiKeys, createApiKeys, maskKey } from './api-keys.ts';
import { balanceRoutes } from './stripe/balance.ts';
import { chargeRoutes, findCharge, reportCharge } from './stripe/charges.ts';
import { customerRoutes, writeCustomer } from './stripe/customers.ts';
import { disputeRoutes, reportDispute } from './stripe/disputes.ts';
import { errorAnswer, StripeError } from './stripe/errors.ts';
import { createEventCenter } from './stripe/events.ts';
import { canonicalForm, parseForm } from './stripe/form.ts';
import {
  createIdempotencyKeys,
  type Execution,
  type IdempotencyKeys,
} from './stripe/idempotency.ts';
import { invoicePaymentListRoutes } from './stripe/invoice-payments.ts';
import { invoicePdf } from './stripe/invoice-pdf.ts';
import { invoiceRoutes, writeInvoice } from './stripe/invoices.ts';
import { passTime } from './stripe/pass-time.ts';
import { invoicePaymentRoutes } from './stripe/pay-invoice.ts';
import { paymentIntentRoutes, writePaymentIntent } from './stripe/payment-intents.ts';
import { methodsOf, paymentMethodRoutes, writePaymentMethod } from './stripe/payment-methods.ts';
import { openShop, priceRoutes, writePrice } from './stripe/prices.ts';
import { refundRoutes, reportRefund } from './stripe/refunds.ts';
import { expandAll, type Lookup, type StripeObject, type StripeRoute } from './stripe/route.ts';
import { searchRoutes } from './stripe/search.ts';
import { setupIntentRoutes, writeSetupIntent } from './stripe/setup-intents.ts';
import { type Customer, createStore, randomText, type StripeStore } from './stripe/store.ts';
import { subscriptionRoutes, writeSubscription } from './stripe/subscriptions.ts';

const defaultVersion = '2026-10-28.endive';
const routes: readonly StripeRoute[] = [
  ...searchRoutes,
  ...balanceRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...disputeRoutes,
  ...refundRoutes,
  ...priceRoutes,
  ...subscriptionRoutes,
  ...invoicePaymentRoutes,
  ...invoicePaymentListRoutes,
  ...invoiceRoutes,
];

const pdfPath = /^\/stripe\/invoices\/([^/]+)\/pdf$/;
const clockRequest = z.strictObject({ advanceDays: z.number().positive().max(3_660) });

/**
 * Simulates Stripe: customers, payment methods, setup intents, payment intents and refunds, with
 * the published test cards, error responses, idempotency keys and events. There is one account.
 */
export function createStripe(context: ServiceContext): SandboxService {
  const { clock } = context;
  let aheadMs = 0;
  const now = () => new Date(clock().getTime() + aheadMs);
  const newStore = () => openShop(createStore(now, events.emit));
  const apiKeys = createApiKeys('stripe', context, {
    field: 'stripeSecretKey',
    fallback: 'sk_test_sandbox',
  });
  const keys = createIdempotencyKeys(clock);
  const events = createEventCenter(context, (type, object) => report(store, type, object));
  let store = newStore();
  const advance = (days: number) => {
    const until = Math.floor((now().getTime() + days * 86_400_000) / 1_000);
    passTime(store, until, (seconds) => {
      aheadMs = seconds * 1_000 - clock().getTime();
    });
  };

  return {
    name: 'stripe',
    matches: (request) => request.path.startsWith('/v1/') || pdfPath.test(request.path),
    answer: async (request) => {
      const [, invoiceId] = pdfPath.exec(request.path) ?? [];
      if (invoiceId !== undefined) {
        return pdfAnswer(store, invoiceId);
      }
      store.address.url = `http://${request.headers.host}`;
      const requestId = `req_${randomText(14)}`;
      const answer =
        keyError(apiKeys, request) ?? (await answerCall(store, keys, request, requestId));

      return { ...answer, headers: { ...answer.headers, ...stripeHeaders(request, requestId) } };
    },
    failure: (status, message) =>
      errorAnswer(new StripeError(status, message, outageFields(status))),
    reset: () => {
      aheadMs = 0;
      store = newStore();
      apiKeys.reset();
      keys.clear();
      events.clear();
    },
    control: [
      ...events.control,
      apiKeys.control,
      clockControl({ advance, now, settled: events.settled }),
    ],
    sections: () => [
      customerSection(store),
      paymentSection(store),
      subscriptionSection(store),
      events.section(),
    ],
  };
}

type ProviderTime = {
  readonly advance: (days: number) => void;
  readonly now: () => Date;
  readonly settled: () => Promise<void>;
};

/** Advances the provider's clock and waits until the service has received all resulting events. */
function clockControl({ advance, now, settled }: ProviderTime): ControlRoute {
  return {
    method: 'POST',
    path: /^\/stripe\/clock$/,
    answer: async (request) => {
      const parsed = clockRequest.safeParse(parseJson(request.body));
      if (!parsed.success) {
        return refusal(400, parsed.error.issues.map(({ message }) => message).join('; '));
      }
      advance(parsed.data.advanceDays);
      await settled();

      return jsonAnswer(200, { now: now().toISOString() });
    },
  };
}

function pdfAnswer(store: StripeStore, invoiceId: string): SandboxAnswer {
  const invoice = store.invoices.get(invoiceId);

  return invoice === undefined
    ? { status: 404, headers: { 'content-type': 'text/plain' }, body: 'No such invoice' }
    : {
        status: 200,
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="Invoice-${invoice.number}.pdf"`,
        },
        body: invoicePdf(invoice),
      };
}

/**
 * Merges the fields of the requested event into the stored object with the same id. Charges,
 * refunds and disputes are also stored, so that the API returns them afterwards.
 */
function report(store: StripeStore, type: string, object: StripeObject): StripeObject {
  if (type.startsWith('charge.dispute.')) {
    return reportDispute(store, object);
  }
  if (type.startsWith('refund.') || type.startsWith('charge.refund.')) {
    return reportRefund(store, object);
  }
  if (type.startsWith('charge.')) {
    return reportCharge(store, object);
  }

  return { ...(typeof object.id === 'string' ? lookupIn(store)(object.id) : {}), ...object };
}

async function answerCall(
  store: StripeStore,
  keys: IdempotencyKeys,
  request: SandboxRequest,
  requestId: string,
): Promise<SandboxAnswer> {
  const route = routes.find((one) => one.method === request.method && one.path.test(request.path));

  if (route === undefined) {
    return unrecognized(request);
  }

  const form = request.method === 'POST' ? new URLSearchParams(request.body) : request.query;
  const work = async (): Promise<Execution> => {
    await request.pause();

    return execute(store, route, request, form);
  };
  const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;

  if (key === undefined) {
    return (await work()).answer;
  }

  const fingerprint = `${request.path}\n${canonicalForm(form)}`;

  return keys.execute({ key, fingerprint, requestId }, work);
}

function execute(
  store: StripeStore,
  route: StripeRoute,
  request: SandboxRequest,
  form: URLSearchParams,
): Execution {
  let began = false;

  try {
    const ids = (route.path.exec(request.path) ?? []).slice(1).map(decodePart);
    const version = request.headers['stripe-version'] ?? defaultVersion;
    const { run, expand } = route.prepare(store, parseForm(form), ids, version);
    began = true;

    return { answer: jsonAnswer(200, expandAll(run(), expand, lookupIn(store))), began };
  } catch (error) {
    if (error instanceof StripeError) {
      return { answer: errorAnswer(error), began };
    }

    throw error;
  }
}

function lookupIn(store: StripeStore): Lookup {
  return (id) => {
    const customer = store.customers.get(id);
    const method = store.paymentMethods.get(id);
    const intent = store.setupIntents.get(id);
    const payment = store.paymentIntents.get(id);
    const price = store.prices.get(id);
    const subscription = store.subscriptions.get(id);
    const invoice = store.invoices.get(id);

    return (
      (customer && writeCustomer(customer)) ??
      (method && writePaymentMethod(method)) ??
      (intent && writeSetupIntent(intent)) ??
      (payment && writePaymentIntent(payment)) ??
      (price && writePrice(price)) ??
      (subscription && writeSubscription(subscription)) ??
      (invoice && writeInvoice(invoice)) ??
      findCharge(store, id) ??
      store.disputes.get(id)
    );
  };
}

/** Checks the secret key in a bearer token or in the user name of basic authentication. */
function keyError(apiKeys: ApiKeys, request: SandboxRequest): SandboxAnswer | undefined {
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ');
  const key =
    scheme.toLowerCase() === 'basic'
      ? (Buffer.from(value, 'base64').toString('utf8').split(':')[0] ?? '')
      : value;

  if (key === '') {
    return unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
    );
  }

  switch (apiKeys.stateOf(key)) {
    case 'valid':
      return undefined;
    case 'expired':
      return unauthorized(`Expired API Key provided: ${maskKey(key)}`, 'api_key_expired');
    default:
      return unauthorized(`Invalid API Key provided: ${maskKey(key)}`);
  }
}

function unauthorized(message: string, code?: string): SandboxAnswer {
  return errorAnswer(new StripeError(401, message, code === undefined ? {} : { code }));
}

function unrecognized(request: SandboxRequest): SandboxAnswer {
  const answer = errorAnswer(
    new StripeError(
      404,
      `Unrecognized request URL (${request.method}: ${request.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    ),
  );

  return { ...answer, unexpected: true };
}

function stripeHeaders(request: SandboxRequest, requestId: string): Record<string, string> {
  const key = request.headers['idempotency-key'];

  return {
    'request-id': requestId,
    'stripe-version': request.headers['stripe-version'] ?? defaultVersion,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
}

function outageFields(status: number): { readonly type?: 'api_error'; readonly code?: string } {
  if (status === 429) {
    return { code: 'rate_limit' };
  }

  return status >= 500 ? { type: 'api_error' } : {};
}

function customerSection(store: StripeStore): PageSection {
  const customers = [...store.customers.values()].filter((customer) => !customer.deleted);
  const rows = customers
    .toReversed()
    .map((customer) => [
      html`<code>${customer.id}</code>`,
      customer.name ?? '',
      customer.email ?? '',
      cardsOf(store, customer),
      time(new Date(customer.created * 1_000)),
    ]);

  return {
    id: 'customers',
    title: 'Payment customers',
    content: table(
      'Payment provider customers, newest first',
      ['ID', 'Name', 'Email', 'Cards', 'Created (UTC)'],
      rows,
      'No customers yet.',
    ),
  };
}

function paymentSection(store: StripeStore): PageSection {
  const rows = [...store.paymentIntents.values()]
    .slice(-100)
    .toReversed()
    .map((intent) => [
      html`<code>${intent.id}</code>`,
      intent.customer ?? '',
      `${(intent.amount / 100).toFixed(2)} ${intent.currency}`,
      intent.status,
      intent.description ?? '',
      time(new Date(intent.created * 1_000)),
    ]);

  return {
    id: 'charges',
    title: 'Payments',
    content: table(
      'Payments, newest first',
      ['ID', 'Customer', 'Amount', 'Status', 'Description', 'Created (UTC)'],
      rows,
      'No payments yet.',
    ),
  };
}

function subscriptionSection(store: StripeStore): PageSection {
  const rows = [...store.subscriptions.values()]
    .slice(-100)
    .toReversed()
    .map((one) => [
      html`<code>${one.id}</code>`,
      one.customer,
      one.price.nickname ?? one.price.id,
      one.pauseBehavior === null ? one.status : `${one.status} (collection paused)`,
      time(new Date(one.periodEnd * 1_000)),
    ]);

  return {
    id: 'subscriptions',
    title: 'Subscriptions',
    content: table(
      'Subscriptions, newest first',
      ['ID', 'Customer', 'Price', 'Status', 'Period ends (UTC)'],
      rows,
      'No subscriptions yet.',
    ),
  };
}

function cardsOf(store: StripeStore, customer: Customer): string {
  return methodsOf(store, customer.id)
    .map((method) => {
      const mark = method.id === customer.defaultPaymentMethod ? ' (default)' : '';

      return `${method.card.brand} ${method.card.last4}${mark}`;
    })
    .join(', ');
}
