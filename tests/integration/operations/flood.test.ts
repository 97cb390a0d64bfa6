// Runs in a separate process: its requests reach the table through a metering proxy
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { minuteMs } from '#lib/platform/clock.ts';
import { testPromptTemplate } from '#schemas/ai.ts';
import { forgotPassword, logIn, signUp } from '#schemas/auth.ts';
import { receivePaymentEvent } from '#schemas/billing.ts';
import { followBioLink, getBioPage } from '#schemas/bio.ts';
import { createContentPost } from '#schemas/content.ts';
import { type Contract, fullProcessorMb } from '#schemas/contract.ts';
import { getDocsAsset, getOpenapi } from '#schemas/docs.ts';
import { getHealth } from '#schemas/health.ts';
import { createLeadWithContact, exportLeads, listPipelines } from '#schemas/leads.ts';
import { rateLimits } from '#schemas/rate-limits.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { freshEmail, newAccount, signUpBody } from '#tests/support/accounts.ts';
import { type CallInput, call, freshIp } from '#tests/support/api.ts';
import { runsAll } from '#tests/support/depth.ts';
import { passTime, stopClock } from '#tests/support/time.ts';
import { dearestOf, floodSetup, type Line, limitTo, sumOf } from './setup.ts';

const proxy = await startDynamoDbProxy({
  target: String(process.env.DYNAMODB_ENDPOINT),
  meteredLatencyMs: 0,
});
process.env.DYNAMODB_ENDPOINT = proxy.endpoint;
// Imported late, because these modules create the table's client.
const { newLink } = await import('../bio/setup.ts');
const { fileOf, importSetup, manyRows } = await import('../leads/setup.ts');
const { newCustomer, replySetup } = await import('../replies/setup.ts');
const { templateTestSetup, testMessage } = await import('../ai/setup.ts');

const { meter, flood } = floodSetup(proxy);
const hourMs = 60 * minuteMs;
/**
 * `requestsPerSecond` of `prod` in serverless.yml. A public route may use a tenth of it, and
 * webhooks half. The gateway rejects other requests for free.
 */
const gatewayPerHour = 1_000 * 3_600;
const routePerHour = gatewayPerHour / 10;
/** The daily budget of AI calls in this test. */
const answersAllowed = 3;
/** The number of leads in a file. */
const rows = { imported: 50, exported: 25 } as const;
const bcrypt = { busyMs: 300, memoryMb: fullProcessorMb };

beforeEach(stopClock);
afterAll(() => proxy.close());

/** Runs the floods one after another, each in new windows. */
async function floodAll(floods: ReadonlyArray<() => Promise<Line>>): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const one of floods) {
    lines.push(await one());
    passTime(hourMs);
  }

  return lines;
}

/**
 * The bill of rejected requests: the most expensive routes up to their share, and webhooks for the
 * rest.
 */
function refusedBill(pages: readonly Line[], webhooks: readonly Line[], room: number): number {
  const dearest = pages.map((line) => line.refusedUsd).toSorted((one, other) => other - one);
  const webhook = Math.max(...webhooks.map((line) => line.refusedUsd));
  let left = room;
  let usd = 0;
  for (const each of dearest.filter((price) => price > webhook)) {
    const requests = Math.min(left, routePerHour);
    usd += requests * each;
    left -= requests;
  }

  return usd + left * webhook;
}

describe('a client', () => {
  it('cannot cause a bill above 10 USD in an hour, however much it sends', async () => {
    const owner = await newAccount();
    const { shortUrl } = await newLink(owner);
    const known = await Promise.all(Array.from({ length: 9 }, () => newAccount()));
    const ip = freshIp();
    const ask = (contract: Contract, options: CallInput = {}) => call(contract, { ip, ...options });
    const click = () =>
      ask(followBioLink, {
        params: { code: String(shortUrl).split('/b/')[1] ?? '' },
        headers: { 'user-agent': `Mozilla/5.0 (visitor ${crypto.randomUUID()})` },
      });
    const page = () => ask(getBioPage, { params: { organization_id: owner.organizationId } });
    const asset = () => ask(getDocsAsset, { params: { asset: 'swagger-ui-bundle.js' } });
    const register = () => ask(signUp, { body: signUpBody() });
    const wrongLogin = () => ask(logIn, { body: { email: freshEmail(), password: 'wrong' } });
    const reset = () => ask(forgotPassword, { body: { email: known.pop()?.email } });
    const forgedEvent = () =>
      ask(receiveNetworkEvents, {
        params: { platform: 'facebook' },
        body: '{}',
        headers: { 'x-hub-signature-256': 'sha256=00' },
      });
    const forgedPayment = () =>
      ask(receivePaymentEvent, { body: '{}', headers: { 'stripe-signature': 't=1,v1=00' } });

    const pages = await floodAll([
      () => flood('clicks', 'publicPages', 5, click, { status: 302 }),
      () => flood('bio pages', 'publicPages', 5, page),
      () => flood('OpenAPI document', 'documents', 5, () => ask(getOpenapi)),
      () => flood('documentation', 'documents', 5, asset),
    ]);
    const webhooks = await floodAll([
      () => flood('forged events', 'webhooks', 4, forgedEvent, { status: 401 }),
      () => flood('forged payments', 'webhooks', 4, forgedPayment, { status: 400 }),
    ]);
    const others = await floodAll([
      () => flood('sign-ups', 'signup', 2, register, { ...bcrypt, status: 201 }),
      () => flood('wrong passwords', 'loginIp', 3, wrongLogin, { ...bcrypt, status: 401 }),
      () => flood('resets', 'accountRecovery', 3, reset),
      async () => {
        // For ten seconds, later requests of an instance use the result of its check.
        await ask(getHealth);

        return flood('health', 'healthPublic', 3, () => ask(getHealth));
      },
    ]);
    const allowed = dearestOf(pages) + dearestOf(webhooks) + sumOf(others);
    const { limit, windowSeconds } = rateLimits.webhooks;
    const room = gatewayPerHour - (limit * 3_600) / windowSeconds;
    const refused = refusedBill([...pages, ...others], webhooks, room);

    expect(allowed + refused).toBeLessThan(10);
  });
});

// The default run tests only the flood of a client.
if (runsAll) {
  describe('a tenant', () => {
    it('cannot cause a bill above 100 USD in an hour, however much it sends', async () => {
      const { owner, importLeads } = await importSetup();
      const params = { organization_id: owner.organizationId };
      const inOrganization =
        (contract: Contract, options: CallInput = {}) =>
        () =>
          call(contract, { token: owner.token, params, ...options });
      const world = replySetup(owner);
      const account = await world.account();
      await world.campaign(account);
      const templates = await templateTestSetup();
      const template_id = await templates.newTemplateId();
      const testTemplate = () =>
        templates.ask(testPromptTemplate, { params: { template_id }, body: { testMessage } });

      const pipelineId = (await call(listPipelines, { token: owner.token, params })).body
        .pipelines[0].id;
      const newLead = () =>
        inOrganization(createLeadWithContact, {
          body: {
            pipelineId,
            contact: { name: 'Charles Babbage', email: freshEmail() },
            source: 'website',
          },
        })();
      const publish = inOrganization(createContentPost, {
        body: { socialAccountId: account.id, platform: account.platform, content: 'Engines' },
      });

      const longNotes = 'The engine. '.repeat(400);
      const leads = Array.from({ length: rows.exported }, () => [
        'Charles',
        freshEmail('lead'),
        longNotes,
      ]);
      await importLeads(fileOf(['name', 'email', 'notes'], ...leads));
      passTime(hourMs);

      const requests = await floodAll([
        () => flood('new leads', 'organizationRequests', 5, newLead, { status: 201 }),
        () => flood('posts', 'organizationRequests', 5, publish, { status: 201 }),
        () =>
          flood('imports', 'organizationRequests', 12, () => importLeads(manyRows(rows.imported)), {
            status: 201,
          }),
        () => flood('exports', 'organizationRequests', 8, inOrganization(exportLeads)),
      ]);
      // An import counts as six requests, and an export of more than 100,000 bytes as three.
      expect(requests.map(({ allowed }) => allowed)).toEqual([5, 5, 2, 3]);
      vi.unstubAllEnvs();
      const tests = await flood('AI tests', 'aiTestOrganization', 3, testTemplate);

      limitTo('aiCalls', answersAllowed);
      const messages = await meter(async () => {
        for (let customer = 0; customer < 2 * answersAllowed; customer += 1) {
          await world.say(account, { type: 'comment', text: 'The price?', from: newCustomer() });
        }

        return [];
      });
      expect(messages.used.aiCalls).toBe(answersAllowed);
      // A whole day's budget within an hour.
      const answersUsd = (messages.usd * rateLimits.aiCalls.limit) / answersAllowed;
      const refused = gatewayPerHour * Math.max(...requests.map(({ refusedUsd }) => refusedUsd));
      const allowed = dearestOf(requests) + tests.usdPerHour + answersUsd;

      expect(allowed + refused).toBeLessThan(100);
    });
  });
}
