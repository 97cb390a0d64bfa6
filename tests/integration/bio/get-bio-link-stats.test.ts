import { describe, expect, test } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { clickSetup, clicksOf, followBioLink, newLink } from './setup.ts';

const world = await clickSetup();

describe('link statistics', () => {
  test('return days, countries and referrers for the range', async () => {
    const link = await newLink(world.ada);
    const visits = [
      [2, 'GB', 'https://l.instagram.com/x?secret=1'],
      [2, 'DE', 'https://l.instagram.com/'],
      [1, 'GB', 'https://t.co/abc'],
      [0, 'GB', undefined],
      [0, 'not a country', 'no referrer'],
      [40, 'FR', 'https://example.org/'],
    ] as const;
    for (const [index, [daysAgo, country, referer]] of visits.entries()) {
      setClock(() => Date.now() - daysAgo * dayMs);
      await followBioLink(link, {
        ip: `203.0.113.${index}`,
        headers: { 'cloudfront-viewer-country': country, ...(referer ? { referer } : {}) },
      });
    }
    setClock();

    const stats = await world.getBioLinkStats(link);
    expect(stats).toMatchObject({
      linkId: link.id,
      totalClicks: 5,
      countries: [
        { country: 'GB', clicks: 3 },
        { country: 'DE', clicks: 1 },
      ],
      referrers: [
        { host: 'l.instagram.com', clicks: 2 },
        { host: 't.co', clicks: 1 },
      ],
    });
    expect(stats.days).toHaveLength(30);
    expect(stats.days.slice(-3).map(({ clicks }: { clicks: number }) => clicks)).toEqual([2, 1, 2]);
    expect(stats.days.at(-1).date).toBe(stats.dateRange.to);
    expect(await clicksOf(world.ada, link)).toBe(6);

    const old = new Date(Date.now() - 40 * dayMs).toISOString().slice(0, 10);
    const ofOld = await world.getBioLinkStats(link, { from: old, to: old });
    expect(ofOld).toMatchObject({
      totalClicks: 1,
      days: [{ date: old, clicks: 1 }],
      countries: [{ country: 'FR', clicks: 1 }],
    });
    expect(await world.getBioLinkStats(link, { dateFrom: old, dateTo: old })).toEqual(ofOld);
  });

  test('reject ranges that are reversed or longer than 366 days', async () => {
    const link = await newLink(world.ada);
    expect(
      await world.getBioLinkStats(link, { dateFrom: '2026-02-01', dateTo: '2026-01-01' }),
    ).toEqual(['dateTo must not be before dateFrom']);
    expect(
      await world.getBioLinkStats(link, { dateFrom: '2025-01-01', dateTo: '2026-01-02' }),
    ).toEqual(['dateFrom must not be more than 366 days before dateTo']);
    expect(await world.getBioLinkStats(link, { from: '2025-01-01', to: '2026-01-02' })).toEqual([
      'from must not be more than 366 days before to',
    ]);
    expect(
      await world.getBioLinkStats(link, { dateFrom: '2024-01-01', dateTo: '2024-12-31' }),
    ).toMatchObject({
      totalClicks: 0,
    });
    const foreign = await newLink(await newAccount());
    expect(await world.getBioLinkStats(foreign)).toBe(
      "Bio link not found or you don't have access",
    );
  });
});
