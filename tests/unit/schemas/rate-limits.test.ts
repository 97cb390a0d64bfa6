import { expect, test } from 'vitest';
import { minuteMs, secondMs } from '#lib/platform/clock.ts';
import { endpoints } from '#schemas/index.ts';
import { rateLimits } from '#schemas/rate-limits.ts';

const minute = minuteMs / secondMs;
const hour = 60 * minute;

/** The default limits, and whether each limit fails open or closed. */
const promised = {
  requests: [600, minute, 'user', 'open'],
  organizationRequests: [3000, minute, 'organization', 'open'],
  publicPages: [300, minute, 'ip', 'open'],
  app: [600, minute, 'ip', 'open'],
  documents: [60, minute, 'ip', 'open'],
  rejectedKeys: [60, minute, 'ip', 'open'],
  webhooks: [30000, minute, 'ip', 'open'],
  aiCalls: [10000, 24 * hour, 'organization', 'open'],
  networkCalls: [2000, 24 * hour, 'organization', 'closed'],
  accountSync: [10, minute, 'account', 'closed'],
  accountLiveData: [10, minute, 'account', 'closed'],
  accountPages: [10, minute, 'account', 'closed'],
  accountTokenCheck: [10, minute, 'account', 'closed'],
  accountPreflight: [10, minute, 'account', 'closed'],
  aiTestOrganization: [200, hour, 'organization', 'closed'],
  aiReplies: [1000, hour, 'account', 'closed'],
  signup: [20, hour, 'ip', 'closed'],
  loginAddress: [5, 15 * minute, 'address', 'closed'],
  loginDevice: [5, 15 * minute, 'device', 'closed'],
  loginIp: [50, 15 * minute, 'ip', 'closed'],
  passwordChange: [5, 15 * minute, 'user', 'closed'],
  passwordResetAddress: [5, hour, 'address', 'closed'],
  accountRecovery: [30, hour, 'ip', 'closed'],
  emailVerification: [5, hour, 'user', 'closed'],
  emailChange: [20, hour, 'user', 'closed'],
  invitation: [100, hour, 'user', 'open'],
  invitationAddress: [3, 24 * hour, 'address', 'closed'],
  invitationUnverified: [20, 24 * hour, 'user', 'closed'],
  payment: [10, minute, 'user', 'closed'],
  reporting: [20, minute, 'user', 'open'],
  standard: [100, minute, 'user', 'open'],
  aiTest: [20, minute, 'user', 'closed'],
  formSubmissions: [10, minute, 'ip', 'open'],
  health: [60, minute, 'user', 'open'],
  healthPublic: [120, minute, 'ip', 'open'],
} as const;

test('rate limits match the documented defaults', () => {
  const built = Object.entries(rateLimits).map(
    ([name, { limit, windowSeconds, per, whenUnavailable }]) => [
      name,
      [limit, windowSeconds, per, whenUnavailable],
    ],
  );

  expect(Object.fromEntries(built)).toEqual(promised);
});

/** The operations that each limit counts before they run. Written by hand, not from the contracts. */
const limitedOperations = {
  accountRecovery: ['forgotPassword', 'resetPassword', 'revertEmail', 'verifyEmail'],
  aiTest: ['debugConversation', 'testPromptTemplate'],
  app: ['getApp', 'getAppAsset', 'getAppPage', 'openHome'],
  documents: ['getDocs', 'getDocsAsset', 'getOpenapi'],
  emailVerification: ['requestEmailVerification'],
  health: [
    'getDetailedHealth',
    'getDiagnostics',
    'getHealthStatus',
    'getHistoricalMetrics',
    'getMetrics',
    'getOrganizationHealth',
    'getScrapedMetrics',
    'getServiceHealth',
    'testConnectivity',
  ],
  invitation: ['inviteMember'],
  payment: [
    'addPaymentMethod',
    'cancelSubscription',
    'changePlan',
    'createBillingSetupIntent',
    'createSetupIntent',
    'createSubscription',
    'pauseSubscription',
    'purchaseCredits',
    'removePaymentMethod',
    'resumeSubscription',
    'setDefaultPaymentMethod',
    'setUpBilling',
  ],
  publicPages: [
    'debugIframe',
    'followBioLink',
    'getBioPage',
    'getCalendarFeed',
    'getConnectedPage',
    'getDataDeletionPage',
    'getFormPage',
    'getLlmsTxt',
    'lookUpInvitation',
    'openConnectLink',
    'openSignInLink',
    'receiveOauthCallback',
    'submitConnectLink',
    'submitSignInLink',
  ],
  reporting: ['createUsageReport', 'getForecast', 'getUsage', 'listInvoices', 'listTransactions'],
  signup: ['signUp'],
  standard: [
    'getAutoRefillSettings',
    'getBalance',
    'getSubscription',
    'listLedger',
    'listPaymentMethods',
    'listPlans',
    'previewPlanChange',
    'updateAutoRefillSettings',
  ],
  webhooks: [
    'answerNetworkChallenge',
    'receiveAccountEvents',
    'receiveDataDeletion',
    'receiveDeauthorization',
    'receiveNetworkEvents',
    'receivePaymentEvent',
    'verifyAccountWebhook',
  ],
} as const;

test('operations count against the documented limits', () => {
  const limited = endpoints.filter(({ rateLimit }) => rateLimit !== undefined);
  const byLimit = Map.groupBy(limited, ({ rateLimit }) => rateLimit);
  const built = [...byLimit].map(([name, contracts]) => [
    name,
    contracts.map(({ operationId }) => operationId).sort(),
  ]);

  expect(Object.fromEntries(built)).toEqual(limitedOperations);
});
