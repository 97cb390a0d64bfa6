import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { receivePaymentEvent } from '#schemas/billing.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { gatewayEvent, send } from '#tests/support/api.ts';
import {
  balanceOf,
  buy,
  deliver,
  deliverAll,
  expectBalanced,
  paidBy,
} from '#tests/support/billing.ts';
import { atOnce } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

const secret = 'whsec_sandbox';
let owner: Account;

beforeAll(liftRateLimits);

/** Makes a purchase whose response is lost, so that the event is the first to report it. */
async function lostPurchase(): Promise<void> {
  await sandbox.addFault({
    service: 'stripe',
    method: 'POST',
    path: '^/v1/payment_intents$',
    mode: 'hang-after',
  });
  expect((await buy(owner, 10)).status).toBe(502);
  await sandbox.clearFaults();
}

async function successEvent() {
  const events = await sandbox.paymentEvents();
  const found = events.findLast(({ type }) => type === 'payment_intent.succeeded');
  if (!found) {
    throw new Error('The provider has not told of a payment');
  }

  return found;
}

function sign(payload: string, atSeconds: number, key = secret): string {
  return createHmac('sha256', key).update(`${atSeconds}.${payload}`).digest('hex');
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe('a payment event', () => {
  beforeEach(async () => {
    await sandbox.reset();
    owner = await newAccount();
  });

  it('is processed once for concurrent deliveries', async () => {
    await lostPurchase();
    const { id, payload, signature } = await successEvent();

    const answers = await Promise.all(
      Array.from({ length: atOnce(20) }, () => deliver(payload, signature)),
    );
    await drainWork('payment-events');

    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers[0]?.body).toEqual({ received: true });
    expect((await balanceOf(owner.organizationId)).credits).toBe(1_100);
    await deliver(payload, signature);
    await drainWork('payment-events');
    expect(await storedItems(`PAYMENT_EVENT#${id}`)).toHaveLength(1);
    await expectBalanced(owner.organizationId);
  });

  it('is acknowledged and stores nothing when its type is unknown', async () => {
    const { eventId, payload, signature } = await sandbox.sendPaymentEvent({
      type: 'radar.early_fraud_warning.created',
      object: { id: 'issfr_1' },
    });

    expect((await deliver(payload, signature)).body).toEqual({ received: true });

    expect(await storedItems(`PAYMENT_EVENT#${eventId}`)).toEqual([]);
  });

  it('changes nothing when its payment is not ours', async () => {
    await lostPurchase();
    const [paid] = await paidBy(owner.organizationId);
    for (const metadata of [
      {},
      { organization_id: owner.organizationId },
      { organization_id: owner.organizationId, payment_id: 'nothing' },
    ]) {
      const { payload, signature } = await sandbox.sendPaymentEvent({
        type: 'payment_intent.succeeded',
        object: { id: paid?.id, metadata },
      });
      expect((await deliver(payload, signature)).status).toBe(200);
    }
    const { payload, signature } = await sandbox.sendPaymentEvent({
      type: 'payment_intent.succeeded',
      object: { id: 'pi_3unknown', metadata: paid?.metadata },
    });
    expect((await deliver(payload, signature)).status).toBe(200);
    await drainWork('payment-events');

    expect((await balanceOf(owner.organizationId)).credits).toBe(100);
  });

  it('never restores an old state when it arrives late or early', async () => {
    expect((await buy(owner, 10)).status).toBe(201);
    const [paid] = await paidBy(owner.organizationId);
    const failed = { type: 'payment_intent.payment_failed', object: { id: paid?.id } };
    await sandbox.sendPaymentEvent(failed);

    await deliverAll((events) => events.toReversed());

    await expectBalanced(owner.organizationId);
    expect((await balanceOf(owner.organizationId)).credits).toBe(1_100);
  });

  it('is accepted when signed by the vendor’s own library', async () => {
    const payload = JSON.stringify({
      id: 'evt_1library',
      type: 'payment_intent.succeeded',
      created: nowSeconds(),
      data: { object: { id: 'pi_1' } },
    });
    const signature = new Stripe('sk_test_sandbox').webhooks.generateTestHeaderString({
      payload,
      secret,
    });

    expect((await deliver(payload, signature)).status).toBe(200);
  });

  it('is verified with the decoded bytes of a base64 body', async () => {
    const payload = JSON.stringify({
      id: 'evt_1encoded',
      type: 'payment_intent.succeeded',
      created: nowSeconds(),
      data: { object: { id: 'pi_1', description: 'naïve ✓' } },
    });
    const at = nowSeconds();
    const headers = { 'stripe-signature': `t=${at},v1=${sign(payload, at)}` };
    const event = gatewayEvent(receivePaymentEvent, { body: payload, headers });
    const encoded = {
      ...event,
      body: Buffer.from(payload).toString('base64'),
      isBase64Encoded: true,
    };

    expect((await send(receivePaymentEvent, encoded)).status).toBe(200);
  });
});

describe('verifying the signature', () => {
  const body =
    '{"id":"evt_unsigned","type":"payment_intent.succeeded","created":1,"data":{"object":{}}}';
  const at = nowSeconds();
  const good = sign(body, at);
  const bad: readonly (readonly [string, string | undefined])[] = [
    ['no header', undefined],
    ['an empty header', ''],
    ['no timestamp', `v1=${good}`],
    ['no signature', `t=${at}`],
    ['only another scheme', `t=${at},v0=${good}`],
    ['a different secret', `t=${at},v1=${sign(body, at, 'whsec_other')}`],
    [
      'an empty secret',
      `t=${at},v1=${createHmac('sha256', '').update(`${at}.${body}`).digest('hex')}`,
    ],
    ['a different body', `t=${at},v1=${sign(`${body} `, at)}`],
    ['a different timestamp than was signed', `t=${at + 1},v1=${good}`],
    ['a timestamp 301 seconds ago', `t=${at - 330},v1=${sign(body, at - 330)}`],
    ['a timestamp far in the future', `t=${at + 330},v1=${sign(body, at + 330)}`],
    ['two timestamps', `t=${at},t=${at - 1},v1=${good}`],
    ['a timestamp that is not a number', `t=now,v1=${good}`],
    ['a negative timestamp', `t=-${at},v1=${good}`],
    ['a hexadecimal timestamp', `t=0x${at.toString(16)},v1=${good}`],
    ['a truncated signature', `t=${at},v1=${good.slice(0, -1)}`],
    ['a signature with trailing characters', `t=${at},v1=${good}00`],
    [
      'a signature with one digit changed',
      `t=${at},v1=${good.replace(/.$/, (c) => (c === '0' ? '1' : '0'))}`,
    ],
    ['a base64 signature', `t=${at},v1=${Buffer.from(good, 'hex').toString('base64')}`],
    ['an empty signature', `t=${at},v1=`],
    [
      'a signature of the body only',
      `t=${at},v1=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ],
    ['a plain hash', `t=${at},v1=${'0'.repeat(64)}`],
    ['an oversized header', `t=${at},${'v1=00,'.repeat(2_000)}v1=${good}`],
  ];

  it.each(bad)('rejects and does not store a request with %s', async (_, header) => {
    const headers = header === undefined ? {} : { 'stripe-signature': header };
    const event = gatewayEvent(receivePaymentEvent, { body, headers });

    const answer = await send(receivePaymentEvent, event);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe(
      'Stripe-Signature must be a valid, recent signature of the body',
    );
    expect(await storedItems('PAYMENT_EVENT#evt_unsigned')).toEqual([]);
  });

  it('accepts a request when any of several signatures is valid', async () => {
    const now = nowSeconds();
    const wrong = sign(body, now, 'whsec_old');

    expect((await deliver(body, `t=${now},v1=${wrong},v1=${sign(body, now)},v0=x`)).status).toBe(
      200,
    );
  });

  it.each(['[]', 'null', '"text"'])('rejects JSON that is not an object: %s', async (payload) => {
    const now = nowSeconds();
    const answer = await deliver(payload, `t=${now},v1=${sign(payload, now)}`);

    expect([answer.status, answer.body.message]).toEqual([
      400,
      ['Request body must be a valid JSON object'],
    ]);
  });

  it.each(['{', '', '{"id":1}', '{"id":"evt_1","type":"x","created":1}'])(
    'rejects a signed body that is not an event: %s',
    async (payload) => {
      const now = nowSeconds();

      const answer = await deliver(payload, `t=${now},v1=${sign(payload, now)}`);

      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe('Request body must be a payment provider event');
    },
  );

  it('rejects a body above a megabyte before reading it', async () => {
    expect((await deliver('x'.repeat(1_048_577), `t=${at},v1=${good}`)).status).toBe(413);
  });
});
