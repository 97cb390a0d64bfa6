/**
 * A vendor's client or another heavy package, the only folder that may import it, and the functions
 * that may bundle it.
 */
export type Vendor = {
  readonly package: string;
  readonly adapter: string;
  /**
   * The functions that use it, as `<folder>/<name>` or a whole `<folder>/`. Other bundles contain
   * it only by accident, and it slows down every cold start. If absent, every function may bundle
   * it.
   */
  readonly users?: readonly string[];
};

export const vendors: readonly Vendor[] = [
  { package: '@aws-sdk/client-dynamodb', adapter: 'lib/platform/db/' },
  { package: '@aws-sdk/lib-dynamodb', adapter: 'lib/platform/db/' },
  { package: '@aws-sdk/util-dynamodb', adapter: 'lib/platform/db/' },
  { package: '@aws-sdk/client-secrets-manager', adapter: 'lib/platform/secrets/' },
  { package: '@aws-sdk/client-sqs', adapter: 'lib/platform/queue/' },
  {
    package: '@aws-sdk/client-sesv2',
    adapter: 'lib/platform/mail/',
    users: ['workers/mail-delivery'],
  },
  {
    package: '@aws-sdk/client-apigatewaymanagementapi',
    adapter: 'lib/platform/live/',
    users: ['workers/webhook-fan-out'],
  },
  {
    package: '@aws-sdk/client-s3',
    adapter: 'lib/platform/storage/',
    users: [
      'ai/complete-knowledge-source',
      'ai/export-customer',
      'billing/create-usage-report',
      'leads/export-contact',
      'media/complete-media-upload',
      'media/get-media-upload',
      'workers/attachments',
      'workers/knowledge-reading',
      'workers/media-processing',
      'workers/organization-removal',
    ],
  },
  {
    package: 'file-type',
    adapter: 'lib/features/media/processing/',
    users: ['workers/media-processing'],
  },
  {
    package: 'image-size',
    adapter: 'lib/features/media/processing/',
    users: ['workers/media-processing'],
  },
  {
    package: 'unpdf',
    adapter: 'lib/features/knowledge/reading/',
    users: ['workers/knowledge-reading'],
  },
  {
    package: 'htmlparser2',
    adapter: 'lib/features/knowledge/reading/',
    users: ['workers/knowledge-reading'],
  },
  {
    package: 'stripe',
    adapter: 'lib/vendors/stripe/',
    users: [
      'auth/sign-up',
      'auth/sign-in-with-google',
      'auth/create-setup-intent',
      'billing/set-up-billing',
      'billing/purchase-credits',
      'billing/add-payment-method',
      'billing/list-payment-methods',
      'billing/remove-payment-method',
      'billing/set-default-payment-method',
      'billing/create-billing-setup-intent',
      'billing/create-subscription',
      'billing/preview-plan-change',
      'billing/cancel-subscription',
      'billing/change-plan',
      'billing/pause-subscription',
      'billing/resume-subscription',
      'billing/list-invoices',
      'workers/subscription-ending',
      'workers/refill-charge',
      'workers/payment-events',
      'jobs/payment-reconcile',
      'workers/signup-cleanup',
    ],
  },
  {
    package: 'openai',
    adapter: 'lib/vendors/openai/',
    users: [
      'ai/search-knowledge',
      'ai/test-prompt-template',
      'debug/debug-conversation',
      'workers/knowledge-reading',
      'workers/replies',
    ],
  },
  {
    package: '@modelcontextprotocol/server',
    adapter: 'lib/features/mcp/',
    users: ['mcp/call-mcp'],
  },
  {
    package: 'bcryptjs',
    adapter: 'lib/features/auth/',
    users: [
      'auth/sign-up',
      'organizations/accept-invitation',
      'auth/log-in',
      'auth/change-password',
      'auth/reset-password',
      'auth/disable-two-factor',
      'auth/delete-me',
      'auth/update-me',
    ],
  },
  {
    package: 'jose',
    adapter: 'lib/vendors/google/',
    users: ['auth/sign-in-with-google', 'auth/delete-me', 'organizations/accept-invitation'],
  },
  {
    package: 'otpauth',
    adapter: 'lib/features/auth/two-factor/',
    users: [
      'auth/set-up-two-factor',
      'auth/enable-two-factor',
      'auth/disable-two-factor',
      'auth/log-in-with-two-factor',
      'auth/delete-me',
    ],
  },
  {
    package: 'qrcode',
    adapter: 'lib/platform/',
    users: ['auth/set-up-two-factor', 'bio/get-bio-link-qr-code'],
  },
];
