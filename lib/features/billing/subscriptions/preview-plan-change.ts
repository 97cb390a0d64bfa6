import { timestamp } from '#lib/platform/clock.ts';
import { previewUpgrade } from '#lib/vendors/stripe/plan-changes.ts';
import { requireAnotherPlan, requireChangeable } from './change-plan.ts';
import { requirePriceOf } from './plan-price.ts';
import { requirePlan } from './plans.ts';
import { currentPlanOf, requireSubscription } from './subscription-record.ts';

export type PlanChangePreview = {
  readonly startsAt: string;
  /** Charged now. */
  readonly amountCents: number;
  /** The credits that are added when the charge is paid. */
  readonly credits: number;
};

/**
 * Returns the effects of `changePlan`. Changes nothing.
 *
 * @throws the errors that `changePlan` throws before it calls the provider.
 */
export async function previewPlanChange(
  organizationId: string,
  planId: string,
): Promise<PlanChangePreview> {
  const plan = requirePlan(planId);
  const current = await requireSubscription(organizationId);
  requireAnotherPlan(current, planId);
  const [priceId, subscription] = await Promise.all([
    requirePriceOf(plan),
    requireChangeable(current.subscriptionId),
  ]);
  const { state } = subscription;
  const paid = currentPlanOf(current, state);
  if (state.planId === planId || plan.amountCents <= paid.amountCents) {
    const startsAt = state.planId === planId ? timestamp() : state.periodEnd;

    return { startsAt, amountCents: 0, credits: 0 };
  }
  const amountCents = await previewUpgrade(subscription, priceId);

  return {
    startsAt: timestamp(),
    amountCents,
    credits: amountCents === 0 ? 0 : Math.max(0, plan.monthlyCredits - paid.monthlyCredits),
  };
}
