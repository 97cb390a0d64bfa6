import { billingAccess, paymentMethodId } from './billing.ts';
import { emptyBody, orNull, queryInteger, text, timestamp, total } from './common.ts';
import { contract, peopleOnly, signedIn } from './contract.ts';
import * as z from './zod.ts';

const subscriptionStatuses = [
  'trialing',
  'active',
  'past_due',
  'paused',
  'canceled',
  'incomplete',
  'unpaid',
] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

const cardId = z.string().meta({ example: 'pm_1Qv3xT2eZvKYlo2C8a9bCdEf' });
const optionalText = (example: string) => orNull(z.string().meta({ example }));
const inPath = z.object({ payment_method_id: paymentMethodId });

const paymentMethod = z.object({
  id: cardId,
  type: z.string().meta({ example: 'card' }),
  card: z.object({
    brand: z.string().meta({ example: 'visa' }),
    last4: z.string().meta({ example: '4242' }),
    expiryMonth: z.int().meta({ example: 12 }),
    expiryYear: z.int().meta({ example: 2_030 }),
    funding: z.string().meta({ example: 'credit' }),
    country: optionalText('US'),
  }),
  billingDetails: z.object({
    name: optionalText('Ada Lovelace'),
    email: optionalText('ada@example.com'),
    phone: optionalText('+44 20 7946 0958'),
    address: z.object({
      city: optionalText('London'),
      country: optionalText('GB'),
      line1: optionalText('12 St James’s Square'),
      line2: optionalText('2nd floor'),
      postalCode: optionalText('SW1Y 4JH'),
      state: optionalText('England'),
    }),
  }),
  created: timestamp(),
  isDefault: z.boolean().meta({ example: true }),
});

const period = {
  currentPeriodStart: timestamp('2026-01-15T09:30:00.000Z'),
  currentPeriodEnd: timestamp('2026-02-15T09:30:00.000Z'),
};
const subscriptionId = z.string().meta({ example: 'sub_1Qv3xT2eZvKYlo2C8a9bCdEf' });
const status = z.enum(subscriptionStatuses).meta({ example: 'active' });

const plan = z.object({
  id: z.string().meta({ example: 'starter' }),
  name: z.string().meta({ example: 'Starter' }),
  amount: z.int().meta({ example: 2_900, description: 'In cents.' }),
  currency: z.string().meta({ example: 'usd' }),
  interval: z.string().meta({ example: 'month' }),
});

const defaultPaymentMethodEffects =
  'Immediately pays the open invoice of a `past_due` or `unpaid` subscription, unless the subscription is set to cancel at period end. If that payment is declined, the payment method is still the default. Also ends a pause of auto-refill.';

export const addPaymentMethod = contract({
  operationId: 'addPaymentMethod',
  method: 'POST',
  path: '/billing/payment-method',
  specified: true,
  usesPlans: true,
  summary: 'Add a payment method and make it the default',
  description: defaultPaymentMethodEffects,
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'CARD_DECLINED',
    'PAYMENT_ACTION_REQUIRED',
    'BILLING_NOT_SET_UP',
    'OVERTAKEN',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  body: z.object({ paymentMethodId }),
  status: 201,
  response: z.object({
    paymentMethodId: cardId,
    brand: z.string().meta({ example: 'visa' }),
    last4: z.string().meta({ example: '4242' }),
    expiryMonth: z.int().meta({ example: 12 }),
    expiryYear: z.int().meta({ example: 2_030 }),
    isDefault: z.boolean().meta({ example: true }),
  }),
  message: 'Payment method added successfully',
});

export const listPaymentMethods = contract({
  operationId: 'listPaymentMethods',
  path: '/billing/payment-methods',
  specified: true,
  usesPlans: true,
  summary: 'List payment methods, newest first',
  access: peopleOnly(billingAccess),
  rateLimit: 'standard',
  errors: ['BILLING_NOT_SET_UP', 'PAYMENT_SERVICE_UNAVAILABLE'],
  envelope: 'bare',
  response: z.object({
    paymentMethods: z.array(paymentMethod),
    defaultPaymentMethodId: orNull(cardId),
    total,
  }),
});

export const removePaymentMethod = contract({
  operationId: 'removePaymentMethod',
  method: 'DELETE',
  path: '/billing/payment-methods/{payment_method_id}',
  specified: true,
  usesPlans: true,
  summary: 'Remove a payment method',
  description:
    'If it was the default, the newest remaining payment method becomes the default. You cannot remove the last payment method while a subscription is active or auto-refill is on.',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'BILLING_NOT_SET_UP',
    'PAYMENT_METHOD_NOT_FOUND',
    'IN_USE',
    'OVERTAKEN',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  params: inPath,
  message: 'Payment method removed successfully',
});

export const setDefaultPaymentMethod = contract({
  operationId: 'setDefaultPaymentMethod',
  method: 'PUT',
  path: '/billing/payment-methods/{payment_method_id}/default',
  specified: true,
  usesPlans: true,
  summary: 'Set the default payment method',
  description: defaultPaymentMethodEffects,
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'BILLING_NOT_SET_UP',
    'PAYMENT_METHOD_NOT_FOUND',
    'OVERTAKEN',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  params: inPath,
  message: 'Default payment method updated successfully',
});

export const createBillingSetupIntent = contract({
  operationId: 'createBillingSetupIntent',
  method: 'POST',
  path: '/billing/setup-intent',
  specified: true,
  summary: 'Create a setup intent to collect a payment method',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: ['BILLING_NOT_SET_UP', 'PAYMENT_SERVICE_UNAVAILABLE'],
  body: emptyBody,
  response: z.object({
    clientSecret: z.string().meta({ example: 'seti_1Qv3xT_secret_RbC4dEfGh' }),
  }),
  message: 'Setup intent created successfully',
});

const subscriptionDetail = z
  .object({
    id: subscriptionId,
    status,
    ...period,
    plan,
    nextBillingDate: orNull(timestamp('2026-02-15T09:30:00.000Z')),
    trialEnd: orNull(timestamp('2026-01-29T09:30:00.000Z')),
    cancelAtPeriodEnd: z.boolean().meta({ example: false }),
    pendingPlanId: orNull(
      z.string().meta({
        example: 'starter',
        description: 'The plan that follows at the end of the period, if it is another one.',
      }),
    ),
  })
  .meta({ id: 'Subscription' });

export const getSubscription = contract({
  operationId: 'getSubscription',
  path: '/billing/subscription',
  specified: true,
  usesPlans: true,
  summary: 'Get the subscription',
  access: billingAccess,
  rateLimit: 'standard',
  errors: ['BILLING_NOT_SET_UP', 'SUBSCRIPTION_NOT_FOUND'],
  envelope: 'bare',
  response: z.object({ subscription: subscriptionDetail }),
  message: 'Subscription retrieved successfully',
});

export const changePlan = contract({
  operationId: 'changePlan',
  method: 'PATCH',
  path: '/billing/subscription',
  summary: 'Change the plan of the subscription',
  description:
    'A larger plan starts now: the rest of the period is charged, and the difference of the monthly credits is added. If the payment fails (402), nothing changes. A smaller plan starts with the next period and is shown as `pendingPlanId` until then. Choosing the current plan cancels that. If the payment provider does not respond (502), the outcome is resolved within minutes.',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'CARD_DECLINED',
    'PAYMENT_ACTION_REQUIRED',
    'BILLING_NOT_SET_UP',
    'SUBSCRIPTION_NOT_FOUND',
    'PLAN_UNCHANGED',
    'WRONG_STATE',
    'OVERTAKEN',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  body: z.object({ planId: text({ min: 1, max: 100, example: 'growth' }) }),
  response: z.object({ subscription: subscriptionDetail }),
  message: 'Subscription updated successfully',
  usesPlans: true,
});

export const previewPlanChange = contract({
  operationId: 'previewPlanChange',
  path: '/billing/subscription/preview',
  summary: 'Preview a change of the plan',
  description: 'What `PATCH /billing/subscription` would do now. Changes nothing.',
  access: billingAccess,
  rateLimit: 'standard',
  errors: [
    'BILLING_NOT_SET_UP',
    'SUBSCRIPTION_NOT_FOUND',
    'PLAN_UNCHANGED',
    'WRONG_STATE',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  query: z.object({ planId: text({ min: 1, max: 100, example: 'growth' }) }),
  envelope: 'bare',
  response: z.object({
    preview: z.object({
      startsAt: timestamp(),
      amount: z.int().meta({ example: 3_500, description: 'Charged now, in cents.' }),
      currency: z.string().meta({ example: 'usd' }),
      credits: z.int().meta({ example: 7_500, description: 'Credits added now.' }),
    }),
  }),
  message: 'Preview retrieved successfully',
  usesPlans: true,
});

export const createSubscription = contract({
  operationId: 'createSubscription',
  method: 'POST',
  path: '/billing/subscription',
  specified: true,
  usesPlans: true,
  summary: 'Subscribe to a plan',
  description:
    'An organization can have one subscription at a time and one trial. After the trial has been used, a new subscription is charged immediately. If the first payment fails or requires authentication (402), no subscription is created. If the payment provider does not respond (502), the outcome is resolved within minutes. Check `GET /billing/subscription`.',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'CARD_DECLINED',
    'PAYMENT_ACTION_REQUIRED',
    'BILLING_NOT_SET_UP',
    'SUBSCRIPTION_NOT_FOUND',
    'SUBSCRIPTION_EXISTS',
    'OVERTAKEN',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  body: z.object({
    planId: text({ min: 1, max: 100, example: 'starter' }),
    paymentMethodId,
  }),
  status: 201,
  response: z.object({ subscription: z.object({ id: subscriptionId, status, ...period }) }),
  message: 'Subscription created successfully',
  strict: true,
});

export const cancelSubscription = contract({
  operationId: 'cancelSubscription',
  method: 'DELETE',
  path: '/billing/subscription',
  specified: true,
  usesPlans: true,
  summary: 'Cancel the subscription at the end of the current period',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: ['BILLING_NOT_SET_UP', 'SUBSCRIPTION_NOT_FOUND', 'PAYMENT_SERVICE_UNAVAILABLE'],
  message: 'Subscription will be canceled at the end of the current period',
});

export const pauseSubscription = contract({
  operationId: 'pauseSubscription',
  method: 'POST',
  path: '/billing/subscription/pause',
  specified: true,
  usesPlans: true,
  summary: 'Pause the subscription',
  description: 'Until the subscription is resumed, it is not charged and AI agents do not reply.',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'BILLING_NOT_SET_UP',
    'SUBSCRIPTION_NOT_FOUND',
    'WRONG_STATE',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  message: 'Subscription paused successfully',
});

export const resumeSubscription = contract({
  operationId: 'resumeSubscription',
  method: 'POST',
  path: '/billing/subscription/resume',
  specified: true,
  usesPlans: true,
  summary: 'Resume the subscription',
  description:
    'Resumes a paused subscription. Otherwise, revokes a cancellation at the end of the period.',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'BILLING_NOT_SET_UP',
    'SUBSCRIPTION_NOT_FOUND',
    'WRONG_STATE',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  message: 'Subscription resumed successfully',
});

export const listInvoices = contract({
  operationId: 'listInvoices',
  path: '/billing/invoices',
  specified: true,
  summary: 'List invoices, newest first',
  access: billingAccess,
  rateLimit: 'reporting',
  errors: ['BILLING_NOT_SET_UP', 'PAYMENT_SERVICE_UNAVAILABLE'],
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 10 }),
    startingAfter: text({
      min: 1,
      max: 255,
      example: 'in_1Qv3xT2eZvKYlo2C8a9bCdEf',
      description: 'The id of the last invoice on the previous page.',
    }).optional(),
  }),
  envelope: 'bare',
  response: z.object({
    invoices: z.array(
      z.object({
        id: z.string().meta({ example: 'in_1Qv3xT2eZvKYlo2C8a9bCdEf' }),
        number: optionalText('A1B2C3D4-0001'),
        status: z.string().meta({ example: 'paid' }),
        amount: z.number().meta({ example: 29 }),
        currency: z.string().meta({ example: 'USD' }),
        periodStart: timestamp('2026-01-15T09:30:00.000Z'),
        periodEnd: timestamp('2026-02-15T09:30:00.000Z'),
        dueDate: orNull(timestamp()),
        paidAt: orNull(timestamp()),
        downloadUrl: optionalText('https://pay.stripe.com/invoice/acct_1/test_1/pdf'),
      }),
    ),
    hasMore: z.boolean().meta({ example: false }),
    total: z.int().min(0).meta({ example: 1, description: 'The number of invoices on all pages' }),
  }),
  message: 'Invoices retrieved successfully',
});

export const listPlans = contract({
  operationId: 'listPlans',
  path: '/billing/plans',
  usesPlans: true,
  summary: 'List available subscription plans',
  access: signedIn,
  rateLimit: 'standard',
  envelope: 'bare',
  response: z.object({
    plans: z.array(
      plan.extend({
        monthlyCredits: z.int().min(0).meta({ example: 2_500 }),
        trialDays: z.int().min(0).meta({ example: 0 }),
      }),
    ),
    total,
  }),
  message: 'Plans retrieved successfully',
});
