import { config } from '#lib/platform/config.ts';
import { platforms } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';
import { readPaidCalls } from './paid-calls.ts';

const price = z.number().min(0).max(100);

/** In US dollars per call. */
const pricesByNetwork = z.partialRecord(z.enum(platforms), z.object({ read: price, write: price }));

/** X's published prices: a post read, and content created without a link. */
const defaultPrices = { TWITTER: { read: 0.005, write: 0.015 } };

function callPrices(): z.infer<typeof pricesByNetwork> {
  const from = config.networkCallPrices;

  return from === undefined ? defaultPrices : pricesByNetwork.parse(JSON.parse(from));
}

/** Returns the costs of a month's calls by network. Omits networks that charge nothing. */
export function listNetworkCosts(organizationId: string, month: string) {
  const prices = callPrices();

  return Promise.all(
    platforms
      .flatMap((platform) => {
        const ofPlatform = prices[platform];

        return ofPlatform ? [{ platform, ofPlatform }] : [];
      })
      .map(async ({ platform, ofPlatform }) => {
        const calls = await readPaidCalls(organizationId, month, platform);

        return {
          platform,
          calls: calls.read + calls.write,
          costUsd: inCents(calls.read * ofPlatform.read + calls.write * ofPlatform.write),
          basis: `${calls.read} reads at ${ofPlatform.read} USD and ${calls.write} writes at ${ofPlatform.write} USD`,
        };
      }),
  );
}

function inCents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
