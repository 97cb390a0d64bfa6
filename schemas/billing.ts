import {
  dateOrTime,
  email,
  id,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  text,
  timestamp,
} from './common.ts';
import { contract, fullProcessorMb, memberOfCurrent, openToAll, peopleOnly } from './contract.ts';
import { platform } from './platforms.ts';
import * as z from './zod.ts';

/** Access rule of all billing endpoints except setup, plans and the webhook. */
export const billingAccess = memberOfCurrent('ADMIN', 'Only owners and admins can access billing');

/** Types of ledger entries. All except usage are listed as transactions. */
export const transactionTypes = [
  'credit_purchase',
  'auto_refill',
  'subscription_credit',
  'welcome_credit',
  'adjustment',
] as const;
export const ledgerTypes = [...transactionTypes, 'usage'] as const;

export type LedgerType = (typeof ledgerTypes)[number];

const entryId = id('0192f0c1-8a10-7c11-9d2f-3a5b8c1d4e70');
const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const currency = z.string().meta({ example: 'USD' });
const credits = z.int().meta({ example: 2_500 });
const dollars = z.number().meta({ example: 25 });

export const paymentMethodId = text({ min: 1, max: 255, example: 'pm_1Qv3xT2eZvKYlo2C8a9bCdEf' });

const centsOf = (value: number) => Math.round(value * 100);

/** An amount in US dollars, with at most two decimal places. */
const payable = z
  .number()
  .min(5)
  .max(10_000)
  .refine((value) => Math.abs(value * 100 - centsOf(value)) < 1e-6, {
    error: 'must not have more than 2 decimal places',
  })
  .meta({ example: 25 });

const cardOfTransaction = z.object({
  id: z.string().meta({ example: 'pm_1Qv3xT2eZvKYlo2C8a9bCdEf' }),
  brand: z.string().meta({ example: 'visa' }),
  last4: z.string().meta({ example: '4242' }),
});

export const transaction = z
  .object({
    id: entryId,
    type: z.enum(ledgerTypes).meta({ example: 'credit_purchase' }),
    amount: dollars,
    credits,
    currency,
    status: z.enum(['succeeded']).meta({ example: 'succeeded' }),
    description: z.string().meta({ example: 'Purchase of 2500 credits' }),
    createdAt: timestamp(),
    paymentMethod: orNull(cardOfTransaction),
  })
  .meta({ id: 'Transaction' });

export const balance = z
  .object({
    credits,
    debt: z.int().min(0).meta({
      example: 0,
      description:
        'Credits of refunded or disputed payments that were already used. The next credits repay them. AI replies stop until then.',
    }),
    currency,
    lastUpdated: timestamp(),
  })
  .meta({ id: 'Balance' });

const autoRefill = z.object({
  enabled: z.boolean().meta({ example: true }),
  threshold: z.number().meta({ example: 100 }),
  amount: dollars,
});

const autoRefillSettings = autoRefill.extend({
  monthlyCap: dollars.meta({
    example: 500,
    description: 'Maximum auto-refill spend per calendar month, in USD.',
  }),
  lastRefill: orNull(timestamp()),
  nextRefill: orNull(timestamp()),
});

const listFilters = {
  from: dateOrTime('2026-01-01').optional(),
  to: dateOrTime('2026-01-31').optional(),
};

export const setUpBilling = contract({
  operationId: 'setUpBilling',
  method: 'POST',
  path: '/billing/setup',
  specified: true,
  role: 'sender',
  summary: "Set up the current organization's billing",
  description: "Creates the organization's customer at the payment provider, once.",
  access: peopleOnly(memberOfCurrent('ADMIN', 'Only owners and admins can setup billing')),
  rateLimit: 'payment',
  errors: ['BILLING_ALREADY_SET_UP', 'OVERTAKEN', 'PAYMENT_SERVICE_UNAVAILABLE'],
  body: z.object({ email, name: name({ example: 'Analytical Engines' }) }),
  status: 201,
  response: z.object({
    stripeCustomerId: z.string().meta({ example: 'cus_QxYz12AbCdEf34' }),
    billingEmail: email,
    organizationId,
  }),
  message: 'Billing setup completed successfully',
});

export const getBalance = contract({
  operationId: 'getBalance',
  path: '/billing/balance',
  specified: true,
  summary: 'Get the credit balance',
  tool: true,
  access: billingAccess,
  rateLimit: 'standard',
  errors: ['BILLING_NOT_SET_UP'],
  envelope: 'bare',
  response: z.object({
    balance,
    autoRefill,
  }),
  message: 'Balance retrieved successfully',
});

export const purchaseCredits = contract({
  operationId: 'purchaseCredits',
  method: 'POST',
  path: '/billing/credits/purchase',
  specified: true,
  role: 'sender',
  summary: 'Buy credits',
  description:
    'One US dollar buys 100 credits. If the payment provider does not respond (502), the purchase is resolved within minutes: it is either charged and credited, or neither. Retries with the same `Idempotency-Key` make only one purchase.',
  access: peopleOnly(billingAccess),
  rateLimit: 'payment',
  errors: [
    'CARD_DECLINED',
    'PAYMENT_ACTION_REQUIRED',
    'BILLING_NOT_SET_UP',
    'PAYMENT_SERVICE_UNAVAILABLE',
  ],
  body: z.object({ amount: payable, paymentMethodId }),
  status: 201,
  response: z.object({
    transaction: transaction.pick({ id: true, amount: true, credits: true, status: true }),
  }),
  message: 'Credits purchased successfully',
  strict: true,
});

export const getUsage = contract({
  operationId: 'getUsage',
  path: '/billing/usage',
  specified: true,
  summary: "Get this month's usage, compared with last month",
  access: billingAccess,
  rateLimit: 'reporting',
  errors: ['BILLING_NOT_SET_UP'],
  envelope: 'bare',
  response: z.object({
    usage: z.object({
      currentPeriod: usagePeriod(),
      previousPeriod: usagePeriod(),
      trends: z.object({
        messagesChange: z.string().meta({ example: '+12.5%' }),
        costChange: z.string().meta({ example: '-3.0%' }),
      }),
    }),
  }),
  message: 'Usage retrieved successfully',
});

function usagePeriod() {
  return z.object({
    startDate: timestamp('2026-01-01T00:00:00.000Z'),
    endDate: timestamp('2026-01-31T23:59:59.999Z'),
    messagesSent: z.int().min(0).meta({ example: 420 }),
    creditsUsed: z.int().min(0).meta({ example: 420 }),
    cost: z.number().min(0).meta({ example: 4.2 }),
  });
}

export const getForecast = contract({
  operationId: 'getForecast',
  path: '/billing/forecast',
  summary: 'Forecast the use of credits and the costs of networks',
  description:
    'Averages the usage of the last 14 days, today included. Network costs are those of the current month (UTC), for networks that charge per call.',
  access: billingAccess,
  rateLimit: 'reporting',
  errors: ['BILLING_NOT_SET_UP'],
  usesPlans: true,
  envelope: 'bare',
  response: z.object({
    forecast: z.object({
      creditsPerDay: z.number().min(0).meta({ example: 12.5 }),
      daysLeft: orNull(z.number().min(0).meta({ example: 40 })),
      emptyAt: orNull(timestamp('2026-02-24T10:30:00.000Z')),
      projectedCreditsThisMonth: z.int().min(0).meta({ example: 380 }),
      projectedCostUsd: z.number().min(0).meta({ example: 3.8 }),
      networkCosts: z.array(
        z.object({
          platform,
          calls: z.int().min(0).meta({ example: 240 }),
          costUsd: z.number().min(0).meta({ example: 1.6 }),
          basis: z.string().meta({ example: '200 reads at 0.005 USD and 40 writes at 0.015 USD' }),
        }),
      ),
    }),
  }),
  message: 'Forecast retrieved successfully',
});

export const createUsageReport = contract({
  operationId: 'createUsageReport',
  method: 'POST',
  path: '/billing/reports/usage',
  specified: true,
  summary: 'Create a usage report for a date range',
  description:
    'The report lists all credit transactions, including usage, for at most 366 days. The download link expires after one hour.',
  access: billingAccess,
  rateLimit: 'reporting',
  errors: ['BILLING_NOT_SET_UP'],
  body: z.object({
    startDate: dateOrTime('2026-01-01'),
    endDate: dateOrTime('2026-01-31'),
    format: z.enum(['csv', 'json']).default('csv').meta({ example: 'csv' }),
  }),
  memoryMb: fullProcessorMb,
  role: 'files',
  response: z.object({
    reportUrl: z.string().meta({ example: 'https://files.example.com/reports/usage.csv' }),
    expiresAt: timestamp('2026-01-15T10:30:00.000Z'),
  }),
  message: 'Usage report generated successfully',
});

export const listTransactions = contract({
  operationId: 'listTransactions',
  path: '/billing/transactions',
  specified: true,
  summary: 'List credit transactions',
  description: 'Excludes usage unless you pass `type=usage`.',
  access: billingAccess,
  rateLimit: 'reporting',
  errors: ['BILLING_NOT_SET_UP'],
  query: z.object({
    ...paginationQuery,
    type: z.enum(ledgerTypes).meta({ example: 'credit_purchase' }).optional(),
    ...listFilters,
  }),
  envelope: 'bare',
  response: z.object({
    transactions: z.array(transaction),
    pagination,
  }),
  message: 'Transactions retrieved successfully',
});

export const getAutoRefillSettings = contract({
  operationId: 'getAutoRefillSettings',
  path: '/billing/auto-refill/settings',
  specified: true,
  summary: 'Get the auto-refill settings',
  access: billingAccess,
  rateLimit: 'standard',
  errors: ['BILLING_NOT_SET_UP'],
  envelope: 'bare',
  response: z.object({ autoRefill: autoRefillSettings }),
  message: 'Auto-refill settings retrieved successfully',
});

export const updateAutoRefillSettings = contract({
  operationId: 'updateAutoRefillSettings',
  method: 'POST',
  path: '/billing/auto-refill/settings',
  specified: true,
  summary: 'Update the auto-refill settings',
  description:
    '`threshold` is in credits, `amount` and `monthlyCap` are in US dollars. `amount` must buy more credits than `threshold`. Without `monthlyCap`, the cap is 20 times `amount`. Other fields that you omit keep their values, so `{ "enabled": false }` turns auto-refill off. Ends a pause after a declined payment.',
  access: peopleOnly(billingAccess),
  rateLimit: 'standard',
  errors: ['BILLING_NOT_SET_UP', 'OVERTAKEN'],
  body: z.object({
    enabled: z.boolean().meta({ example: true }),
    threshold: optional(z.int().min(0).max(1_000_000).meta({ example: 100 })),
    amount: optional(payable),
    monthlyCap: optional(z.number().min(5).max(1_000_000).meta({ example: 200 })),
  }),
  response: z.object({
    autoRefill: autoRefillSettings.pick({
      enabled: true,
      threshold: true,
      amount: true,
      monthlyCap: true,
    }),
  }),
  message: 'Auto-refill settings updated successfully',
  strict: true,
});

export const listLedger = contract({
  operationId: 'listLedger',
  path: '/billing/ledger',
  summary: 'List all ledger entries',
  description: 'The credit balance is the sum of all ledger entries.',
  access: billingAccess,
  rateLimit: 'standard',
  errors: ['BILLING_NOT_SET_UP'],
  query: z.object({ ...paginationQuery, ...listFilters }),
  envelope: 'bare',
  response: z.object({
    entries: z.array(
      transaction.omit({ status: true }).extend({
        reference: orNull(
          z.string().meta({
            example: 'pi_3Qv3xT2eZvKYlo2C1a2b3c4d',
            description: 'The source of the entry: a payment, an invoice or a reply.',
          }),
        ),
      }),
    ),
    balance: credits,
    pagination,
  }),
  message: 'Ledger retrieved successfully',
});

export const receivePaymentEvent = contract({
  operationId: 'receivePaymentEvent',
  method: 'POST',
  path: '/billing/webhook',
  role: 'sender',
  summary: 'Receive a payment provider event',
  description:
    '`Stripe-Signature` must sign the raw body. Each event is processed once. Events may arrive in any order.',
  access: openToAll,
  rateLimit: 'webhooks',
  idempotent: false,
  errors: ['BODY_INVALID', { code: 'SIGNATURE_INVALID', kind: 'badRequest' }, 'BODY_TOO_LARGE'],
  envelope: 'bare',
  response: z.object({ received: z.boolean().meta({ example: true }) }),
});
