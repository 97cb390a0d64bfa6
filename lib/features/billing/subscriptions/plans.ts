import { config } from '#lib/platform/config.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import * as z from '#schemas/zod.ts';

/** A subscription plan, billed monthly in US dollars. */
export type Plan = {
  readonly id: string;
  readonly name: string;
  /** Identifies the price at the payment provider. */
  readonly lookupKey: string;
  readonly amountCents: number;
  readonly monthlyCredits: number;
  /** Length of the free trial. A trial grants no credits. */
  readonly trialDays: number;
  /** The maximum size of the media library. */
  readonly mediaBytes?: number;
};

const defaultPlans: readonly Plan[] = [
  {
    id: 'starter',
    name: 'Starter',
    lookupKey: 'starter_monthly',
    amountCents: 2_900,
    monthlyCredits: 2_500,
    trialDays: 0,
    mediaBytes: 10_000_000_000,
  },
  {
    id: 'growth',
    name: 'Growth',
    lookupKey: 'growth_monthly',
    amountCents: 9_900,
    monthlyCredits: 10_000,
    trialDays: 0,
    mediaBytes: 50_000_000_000,
  },
  {
    id: 'scale',
    name: 'Scale',
    lookupKey: 'scale_monthly',
    amountCents: 29_900,
    monthlyCredits: 35_000,
    trialDays: 0,
    mediaBytes: 200_000_000_000,
  },
];

const catalogue = z
  .array(
    z.object({
      id: z.string().min(1).max(100),
      name: z.string().min(1).max(100),
      lookupKey: z.string().min(1).max(200),
      amountCents: z.int().min(50),
      monthlyCredits: z.int().min(1),
      trialDays: z.int().min(0).max(730).default(0),
      mediaBytes: z.exactOptional(z.int().min(1)),
    }),
  )
  .min(1);

let parsed: { readonly from: string; readonly plans: readonly Plan[] } | undefined;

/** Returns the plans from `BILLING_PLANS`, or the default plans. */
export function listPlans(): readonly Plan[] {
  const from = config.billingPlans;
  if (from === undefined) {
    return defaultPlans;
  }
  if (parsed?.from !== from) {
    parsed = { from, plans: catalogue.parse(JSON.parse(from)) };
  }

  return parsed.plans;
}

export function findPlan(planId: string): Plan | undefined {
  return listPlans().find(({ id }) => id === planId);
}

/** @throws 400 with the list of valid plan ids. */
export function requirePlan(planId: string): Plan {
  const plan = findPlan(planId);
  if (!plan) {
    const ids = listPlans().map(({ id }) => id);
    throw badRequest(`planId must be one of the following values: ${ids.join(', ')}`);
  }

  return plan;
}

export function presentPlan({ id, name, amountCents }: Pick<Plan, 'id' | 'name' | 'amountCents'>) {
  return { id, name, amount: amountCents, currency: 'usd', interval: 'month' };
}
