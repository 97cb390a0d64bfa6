// Runs in a separate process: the service is loaded again, with the address of a proxy

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clickShards, maxKinds } from '#lib/features/bio/click-counters.ts';
import { dayMs, minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { depth } from '#tests/support/depth.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { clickSetup, clicksOf, followBioLink, newLink, phone } from './setup.ts';

const world = await clickSetup();

function setClockAhead(ms: number): void {
  setClock(() => Date.now() + ms);
}

describe('a short link', () => {
  test('redirects to its URL with an uncached, unindexed 302', async () => {
    const link = await newLink(world.ada, { utmSource: 'bio', url: 'https://example.com/?a=1#b' });
    const { status, headers, body } = await followBioLink(link);

    expect([status, headers.location, body]).toEqual([
      302,
      'https://example.com/?a=1&utm_source=bio#b',
      '',
    ]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  });

  test('returns a small 404 page when it is unknown', async () => {
    const codes = ['unknown', '..%2f', 'x'.repeat(100), 'x'.repeat(8_000), 'CLAIM#x'];
    for (const shortUrl of codes.map((code) => `/b/${code}`)) {
      const { status, headers, body } = await followBioLink({ shortUrl });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      expect(body).toContain('Page not found');
      expect(Buffer.byteLength(body)).toBeLessThan(10_000);
    }
  });
});

describe('a click', () => {
  test('counts once per visitor in 30 minutes, whatever happens in between', async () => {
    const link = await newLink(world.ada);
    await followBioLink(link);
    await followBioLink(link);
    expect(await clicksOf(world.ada, link)).toBe(1);

    await followBioLink(link, { ip: '203.0.113.2' });
    await followBioLink(link, { headers: { 'user-agent': `${phone} Other` } });
    expect(await clicksOf(world.ada, link)).toBe(3);
    const other = await newLink(world.ada);
    await followBioLink(other);
    expect([await clicksOf(world.ada, link), await clicksOf(world.ada, other)]).toEqual([3, 1]);

    // The same time on the next day, so that there is no midnight in between.
    setClockAhead(dayMs);
    await followBioLink(link);
    setClockAhead(dayMs + 30 * minuteMs - 5 * secondMs);
    await followBioLink(link);
    expect(await clicksOf(world.ada, link)).toBeGreaterThanOrEqual(4);
    expect(await clicksOf(world.ada, link)).toBeLessThanOrEqual(5);
  });

  test('counts again after 30 minutes', async () => {
    const link = await newLink(world.ada);
    const noon = new Date().setUTCHours(12, 0, 0, 0);
    for (const [minutes, expected] of [
      [0, 1],
      [29, 1],
      [31, 2],
      [60, 2],
      [62, 3],
    ] as const) {
      setClock(() => noon + minutes * minuteMs);
      await followBioLink(link);
      setClock();
      expect([minutes, await clicksOf(world.ada, link)]).toEqual([minutes, expected]);
    }
  });

  test.each([
    ['a HEAD request', { method: 'HEAD' }],
    ["Facebook's link preview", { headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
    ["WhatsApp's link preview", { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } }],
    ['X', { headers: { 'user-agent': 'Twitterbot/1.0' } }],
    [
      'a search engine',
      {
        headers: {
          'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
        },
      },
    ],
    ['curl', { headers: { 'user-agent': 'curl/8.7.1' } }],
    ['a client without a user agent', { headers: { 'user-agent': '' } }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
    ['a prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['a prefetch with the older header', { headers: { purpose: 'prefetch' } }],
    ["Firefox's prefetch", { headers: { 'x-moz': 'prefetch' } }],
    ["Safari's preview", { headers: { 'x-purpose': 'preview' } }],
  ])('does not count for %s, which is still redirected', async (_, visit) => {
    const link = await newLink(world.ada);
    expect((await followBioLink(link, visit)).status).toBe(302);
    expect(await clicksOf(world.ada, link)).toBe(0);
    // A preview does not count the person. They are counted when they open the link.
    await followBioLink(link);
    expect(await clicksOf(world.ada, link)).toBe(1);
  });

  test('stores neither IP address nor user agent', async () => {
    const link = await newLink(world.ada);
    await followBioLink(link, {
      ip: '198.51.100.77',
      headers: { referer: 'https://example.org/secret' },
    });

    const items = (await storedItems()).filter(({ pk }) => !pk.startsWith('RATE#'));
    const stored = JSON.stringify(items);
    for (const personal of ['198.51.100.77', 'iPhone', 'secret']) {
      expect(stored).not.toContain(personal);
    }
    const kept = items.filter(({ pk }) => /^(VISIT|SALT)#/.test(pk));
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.every(({ expiresAtSeconds }) => Number(expiresAtSeconds) > 0)).toBe(true);
  });
});

describe('concurrent clicks', () => {
  const number = depth(250);

  test(`of ${number} visitors, some of them repeated, are counted exactly`, async () => {
    const link = await newLink(world.ada);
    const visitors = Array.from({ length: number }, (_, index) => index);
    const twice = visitors.filter((index) => index % 10 === 0);
    const answers = await Promise.all(
      [...visitors, ...twice].map((index) =>
        followBioLink(link, {
          ip: `2001:db8::${index.toString(16)}`,
          headers: { referer: 'https://l.instagram.com/' },
        }),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    await drainWork('bio-clicks');
    expect(await clicksOf(world.ada, link)).toBe(number);
    expect(await world.getBioLinkStats(link)).toMatchObject({
      totalClicks: number,
      referrers: [{ host: 'l.instagram.com', clicks: number }],
    });
    const counters = await storedItems(`ORG#${world.ada.organizationId}#BIO_CLICKS`);
    expect(counters.filter(({ sk }) => sk.startsWith(link.id)).length).toBe(clickShards);
  });
});

describe('clicks from many hosts', () => {
  test('move to the counters per day, and are counted exactly', async () => {
    const link = await newLink(world.ada);
    const hosts = Array.from({ length: 80 }, (_, index) => `host-${index}.example.com`);
    for (const [index, host] of hosts.entries()) {
      const ip = `2001:db8:1::${index.toString(16)}`;
      await followBioLink(link, { ip, headers: { referer: `https://${host}/` } });
    }
    const moved = await storedItems(`ORG#${world.ada.organizationId}#BIO_REFERRERS`);
    const stats = await world.getBioLinkStats(link);

    expect(moved.length).toBeGreaterThanOrEqual(hosts.length - clickShards * maxKinds);
    expect(await clicksOf(world.ada, link)).toBe(80);
    expect(stats.totalClicks).toBe(80);
    expect(stats.referrers.map(({ host }: { host: string }) => host).toSorted()).toEqual(
      hosts.toSorted(),
    );
  });
});

describe('a click that DynamoDB does not accept immediately', () => {
  let proxy: DynamoDbProxy;
  const endpoint = process.env.DYNAMODB_ENDPOINT;

  beforeAll(async () => {
    proxy = await startDynamoDbProxy({ target: String(endpoint) });
  });
  afterAll(() => proxy.close());

  test('is counted once by the worker, and its visitor is redirected', async () => {
    const link = await newLink(world.ada);
    process.env.DYNAMODB_ENDPOINT = proxy.endpoint;
    vi.resetModules();
    const { countVisit } = await import('#lib/features/bio/follow-link.ts');
    process.env.DYNAMODB_ENDPOINT = endpoint;
    vi.resetModules();
    const destination = {
      organizationId: world.ada.organizationId,
      linkId: link.id,
      isActive: true,
      url: link.url,
    };
    const visit = { method: 'GET', clientIp: '203.0.113.9', userAgent: phone, headers: {} };
    proxy.faults.add({
      operation: 'UpdateItem',
      fault: { kind: 'conflict', when: 'before' },
    });
    await countVisit(destination, visit);
    proxy.faults.clear();
    expect(await clicksOf(world.ada, link)).toBe(0);

    await countVisit(destination, visit);
    await drainWork('bio-clicks');
    expect(await clicksOf(world.ada, link)).toBe(1);
  });
});
