import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refusalOf, startSetup, type World } from './setup.ts';

async function pay(world: World, card = 'pm_card_visa') {
  const customer = await world.stripe.customers.create({ email: 'ada@example.com' });
  const method = await world.stripe.paymentMethods.attach(card, { customer: customer.id });

  return world.stripe.paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    confirm: true,
    customer: customer.id,
    payment_method: method.id,
  });
}

const eventTypes = async (world: World) =>
  (await world.control.paymentEvents()).map(({ type }) => type);

describe('refunds', () => {
  it('add up on the charge, appear on it, and cannot exceed it', async () => {
    const world = await startSetup();
    const { id: payment_intent, latest_charge } = await pay(world);
    const charge = String(latest_charge);
    await world.stripe.refunds.create({ payment_intent, amount: 300 });
    const second = await world.stripe.refunds.create({ charge, amount: 200 });

    expect(second).toMatchObject({ object: 'refund', status: 'succeeded', payment_intent, charge });
    expect(await world.stripe.charges.retrieve(charge)).toMatchObject({
      object: 'charge',
      amount: 1_000,
      amount_refunded: 500,
      refunded: false,
      payment_intent,
    });
    expect(
      await refusalOf(world.stripe.refunds.create({ payment_intent, amount: 501 })),
    ).toMatchObject({ statusCode: 400, param: 'amount' });
    await world.stripe.refunds.create({ payment_intent });
    expect(await refusalOf(world.stripe.refunds.create({ payment_intent }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    const { data } = await world.stripe.charges.list({ payment_intent });
    expect(data).toMatchObject([{ id: charge, amount_refunded: 1_000, refunded: true }]);
    expect((await eventTypes(world)).slice(2)).toEqual(
      Array.from({ length: 3 }, () => ['refund.created', 'charge.refunded']).flat(),
    );
  });

  it.each([
    ['no payment', {}, 400],
    ['an unknown payment', { payment_intent: 'pi_unknown' }, 404],
    ['an unknown charge', { charge: 'ch_unknown' }, 400],
  ])('are rejected for %s', async (_, params, statusCode) => {
    const world = await startSetup();

    expect(await refusalOf(world.stripe.refunds.create(params))).toMatchObject({ statusCode });
  });

  it('count towards the charge if only an event reports them, unless they failed', async () => {
    const world = await startSetup();
    const { latest_charge } = await pay(world);
    const charge = String(latest_charge);
    const refunded = async () => (await world.stripe.charges.retrieve(charge)).amount_refunded;
    const tell = (type: string, object: object) =>
      world.control.sendPaymentEvent({ type, object: { ...object } });

    await tell('refund.created', { id: 're_1', charge, amount: 400 });
    expect(await refunded()).toBe(400);
    await tell('refund.failed', { id: 're_1', status: 'failed' });
    expect(await refunded()).toBe(0);
    await tell('charge.refunded', { id: charge, amount_refunded: 600 });
    await tell('charge.refunded', { id: charge, amount_refunded: 100 });
    expect(await refunded()).toBe(600);
  });
});

describe('disputes', () => {
  it.each([
    ['winning_evidence', 'won', ['updated', 'closed', 'funds_reinstated']],
    ['losing_evidence', 'lost', ['updated', 'closed']],
  ])('on the test card are decided by %s as %s', async (evidence, status, events) => {
    const world = await startSetup();
    const { id: payment_intent, latest_charge } = await pay(world, 'pm_card_createDispute');
    const [dispute] = (await world.stripe.disputes.list({ payment_intent })).data;

    expect(dispute).toMatchObject({
      object: 'dispute',
      amount: 1_000,
      charge: latest_charge,
      payment_intent,
      reason: 'fraudulent',
      status: 'needs_response',
      is_charge_refundable: false,
    });
    expect(await refusalOf(world.stripe.refunds.create({ payment_intent }))).toMatchObject({
      code: 'charge_disputed',
    });
    const closed = await world.stripe.disputes.update(String(dispute?.id), {
      evidence: { uncategorized_text: evidence },
    });
    expect(closed.status).toBe(status);
    expect((await eventTypes(world)).slice(2)).toEqual(
      ['created', 'funds_withdrawn', ...events].map((event) => `charge.dispute.${event}`),
    );
    expect(await refusalOf(world.stripe.disputes.close(closed.id))).toMatchObject({
      statusCode: 400,
    });
  });

  it('on the inquiry card withdraw nothing and leave the charge refundable', async () => {
    const world = await startSetup();
    const { id: payment_intent } = await pay(world, 'pm_card_createDisputeInquiry');

    expect((await eventTypes(world)).slice(2)).toEqual(['charge.dispute.created']);
    expect((await world.stripe.refunds.create({ payment_intent })).amount).toBe(1_000);
  });

  it('are returned by the API if an event reports them, and stay won or lost', async () => {
    const world = await startSetup();
    const { id: payment_intent, latest_charge: charge } = await pay(world);
    const tell = (event: string, object: object) =>
      world.control.sendPaymentEvent({ type: `charge.dispute.${event}`, object: { ...object } });
    await tell('closed', { id: 'du_1', charge, status: 'won' });
    await tell('created', { id: 'du_1', status: 'needs_response' });

    expect(await world.stripe.disputes.retrieve('du_1')).toMatchObject({
      amount: 1_000,
      payment_intent,
      status: 'won',
    });
    expect((await world.stripe.charges.retrieve(String(charge))).disputed).toBe(true);
    await tell('created', { id: 'du_2', payment_intent, amount: 100 });
    expect((await world.stripe.disputes.close('du_2')).status).toBe('lost');
  });
});

describe('the payment of an invoice', () => {
  it('is linked to its payment intent by an invoice payment', async () => {
    const world = await startSetup();
    const { customer, payment_method } = await pay(world);
    const { data: prices } = await world.stripe.prices.list({ lookup_keys: ['starter_monthly'] });
    const { latest_invoice: invoice } = await world.stripe.subscriptions.create({
      customer: String(customer),
      items: [{ price: String(prices[0]?.id) }],
      default_payment_method: String(payment_method),
    });
    const [payment] = (await world.stripe.invoicePayments.list({ invoice: String(invoice) })).data;
    const payment_intent = String(payment?.payment.payment_intent);

    expect(await world.stripe.paymentIntents.retrieve(payment_intent)).toMatchObject({
      amount: 2_900,
      status: 'succeeded',
      customer,
    });
    const found = await world.stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent },
    });
    expect(found.data).toMatchObject([
      { object: 'invoice_payment', invoice, amount_paid: 2_900, status: 'paid' },
    ]);
  });
});

describe('event delivery', () => {
  it('repeats events and delivers the newest first when configured', async () => {
    const world = await startSetup();
    const received: string[] = [];
    const server = createServer(async (request, response) => {
      received.push((JSON.parse(await text(request)) as { type: string }).type);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    await world.control.setServiceUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await world.control.setPaymentDelivery({ copies: 2, reverseAfterMs: 50 });

    await pay(world);
    await world.control.setPaymentDelivery({});
    await pay(world);

    expect(received.slice(0, 4)).toEqual([
      'payment_intent.succeeded',
      'payment_intent.succeeded',
      'payment_intent.created',
      'payment_intent.created',
    ]);
    expect((await eventTypes(world)).length).toBe(4);
  });
});
