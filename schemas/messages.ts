import type { JobDefinition, ReadonlyDeep, WorkerDefinition } from './contract.ts';
import { imageCodecs } from './media-limits.ts';
import type { paymentEventWork } from './payment-event.ts';
import type * as payloads from './work-payloads.ts';
import * as z from './zod.ts';

/**
 * A queue message: the key of an outbox item that describes the work. The item is the source of
 * truth. If it no longer exists, the work is done.
 */
export const workMessage = z.object({ pk: z.string(), sk: z.string() });

export type WorkMessage = z.output<typeof workMessage>;

export const workerDefinitions = {
  mail: {
    name: 'mail-delivery',
    role: 'mail',
    description: 'Sends an email.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxConcurrency: 20,
    maxReceiveCount: 5,
    alarmAfterSeconds: 600,
  },
  organizationRemoval: {
    name: 'organization-removal',
    role: 'fileWorker',
    usesPlans: true,
    description:
      'Deletes the data of deleted organizations, accounts and people, and old messages.',
    timeoutSeconds: 300,
    batchSize: 1,
    maxReceiveCount: 20,
  },
  suspension: {
    name: 'organization-suspension',
    description: 'Applies the suspension of an organization, or its end.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxConcurrency: 5,
    maxReceiveCount: 20,
    alarmAfterSeconds: 120,
  },
  signupCleanup: {
    name: 'signup-cleanup',
    description: 'Cleans up the payment provider after a failed signup.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxReceiveCount: 20,
  },
  refillCharge: {
    name: 'refill-charge',
    description: 'Charges the card for an auto-refill of credits.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxConcurrency: 20,
    maxReceiveCount: 5,
    alarmAfterSeconds: 600,
  },
  paymentEvent: {
    name: 'payment-events',
    usesPlans: true,
    description: 'Processes payment provider events.',
    timeoutSeconds: 60,
    batchSize: 5,
    maxConcurrency: 20,
    maxReceiveCount: 20,
    alarmAfterSeconds: 900,
  },
  subscriptionEnd: {
    name: 'subscription-ending',
    usesPlans: true,
    description: 'Cancels the subscription of a deleted organization at the payment provider.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxReceiveCount: 20,
  },
  leadRemoval: {
    name: 'lead-removal',
    role: 'tableWorker',
    description: 'Deletes the activities of a deleted lead.',
    timeoutSeconds: 60,
    batchSize: 5,
    maxReceiveCount: 5,
  },
  leadImport: {
    name: 'lead-import',
    description: 'Creates leads from the rows of a CSV file.',
    timeoutSeconds: 300,
    batchSize: 1,
    maxReceiveCount: 20,
  },
  webhookFanOut: {
    name: 'webhook-fan-out',
    role: 'live',
    usesWebsocket: true,
    description: "Delivers an event to an organization's webhooks and live connections.",
    timeoutSeconds: 30,
    batchSize: 10,
    maxConcurrency: 20,
    maxReceiveCount: 20,
    alarmAfterSeconds: 600,
  },
  webhook: {
    name: 'outbound-webhooks',
    role: 'webhooks',
    description: 'Delivers events to webhook endpoints of organizations.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxConcurrency: 100,
    maxReceiveCount: 20,
    // Retries wait in the queue for up to 15 minutes.
    alarmAfterSeconds: 1200,
  },
  webhookDisabled: {
    name: 'webhook-disabled',
    description: 'Emails the members who want to know that a webhook was switched off.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxReceiveCount: 20,
  },
  accountSubscription: {
    name: 'account-subscription',
    description: 'Subscribes to the events of a connected account on its network.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxReceiveCount: 10,
  },
  accountDisconnected: {
    name: 'account-disconnection',
    description: 'Cleans up after a disconnected account, on its network and in the service.',
    timeoutSeconds: 120,
    batchSize: 1,
    maxReceiveCount: 10,
  },
  accountSnapshot: {
    name: 'account-snapshot',
    description: 'Fetches the metrics of an account and its posts.',
    timeoutSeconds: 120,
    batchSize: 1,
    maxConcurrency: 50,
    maxReceiveCount: 5,
  },
  contentPublish: {
    name: 'content-publishing',
    description: 'Publishes the due posts of one social account, one at a time.',
    // An upload can take a minute. The posts of a crashed worker are published within the next
    // minute, because their leases expire before the lease of the batch, so the next worker can
    // claim them all.
    timeoutSeconds: 150,
    leaseSeconds: 25,
    batchSize: 1,
    maxConcurrency: 100,
    maxReceiveCount: 5,
  },
  inboundEvent: {
    name: 'inbound-events',
    description: 'Processes network events in order within a conversation.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxConcurrency: 100,
    maxReceiveCount: 5,
    inOrder: true,
    alarmAfterSeconds: 300,
  },
  replyPlanning: {
    name: 'reply-planning',
    description: 'Decides who replies to a customer message and creates the lead.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxConcurrency: 100,
    maxReceiveCount: 5,
    inOrder: true,
    alarmAfterSeconds: 300,
  },
  reply: {
    name: 'replies',
    // Mostly waits for the AI service.
    memoryMb: 512,
    description:
      'Generates an AI reply to a customer, or takes a fixed one or a follow-up, and sends it.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxConcurrency: 100,
    maxReceiveCount: 5,
    // Planned replies wait in the queue for up to 15 minutes.
    alarmAfterSeconds: 1200,
  },
  assignmentRemoval: {
    name: 'assignment-removal',
    description: 'Removes the assignments of a member who left or became a viewer.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxReceiveCount: 20,
  },
  messageOutcome: {
    name: 'message-outcome',
    description:
      'Hides comments that a moderation rule matches, and resolves interrupted messages and actions.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxReceiveCount: 5,
  },
  attachments: {
    name: 'attachments',
    role: 'fileWorker',
    description:
      "Stores the files of a customer's message, and renews what repeats a message that changed.",
    timeoutSeconds: 150,
    batchSize: 1,
    maxConcurrency: 20,
    maxReceiveCount: 5,
  },
  mediaProcessing: {
    name: 'media-processing',
    role: 'fileWorker',
    usesPlans: true,
    assets: Object.values(imageCodecs),
    description:
      'Checks uploaded media, removes location data, converts images, and deletes abandoned files.',
    // Fetching and copying a gigabyte can take minutes. After a crash, the work continues earlier.
    timeoutSeconds: 600,
    leaseSeconds: 25,
    batchSize: 1,
    maxConcurrency: 15,
    maxReceiveCount: 20,
  },
  knowledgeReading: {
    name: 'knowledge-reading',
    role: 'fileWorker',
    description: 'Reads a source of knowledge, and stores its passages with their embeddings.',
    // A PDF of 10 MB can need several hundred megabytes.
    memoryMb: 1_024,
    timeoutSeconds: 300,
    leaseSeconds: 25,
    batchSize: 1,
    maxConcurrency: 5,
    maxReceiveCount: 20,
  },
  leadAd: {
    name: 'lead-ads',
    description: 'Fetches what a person entered into a lead ad, and creates the lead.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxConcurrency: 5,
    maxReceiveCount: 5,
  },
  customerProfile: {
    name: 'customer-profiles',
    description: 'Looks up the name of a new customer at the network.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxReceiveCount: 5,
  },
  bioClick: {
    name: 'bio-clicks',
    description:
      'Counts clicks of personal links, and those of bio links that could not be counted immediately.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxReceiveCount: 20,
  },
} as const satisfies Record<string, WorkerDefinition>;

export type WorkKind = keyof typeof workerDefinitions;

export const jobDefinitions = {
  dueWork: {
    name: 'due-work',
    role: 'sweep',
    description: 'Queues work that is due or whose first message was lost.',
    schedule: 'rate(1 minute)',
    timeoutSeconds: 50,
  },
  creditRefill: {
    name: 'credit-refill',
    description: 'Starts due credit refills.',
    schedule: 'rate(5 minutes)',
    timeoutSeconds: 240,
  },
  paymentReconcile: {
    name: 'payment-reconcile',
    usesPlans: true,
    description: 'Resolves payments with an unknown outcome.',
    schedule: 'rate(5 minutes)',
    timeoutSeconds: 240,
  },
  tokenRefresh: {
    name: 'token-refresh',
    description: 'Renews the tokens of social accounts before they expire.',
    schedule: 'rate(15 minutes)',
    timeoutSeconds: 300,
  },
  metricsSnapshot: {
    name: 'metrics-snapshot',
    description: 'Queues metric snapshots of all social accounts and their posts.',
    schedule: 'rate(1 hour)',
    timeoutSeconds: 300,
  },
  postsImport: {
    name: 'posts-import',
    description: 'Imports posts that were made at the networks, once a day for each account.',
    schedule: 'rate(1 hour)',
    timeoutSeconds: 300,
  },
  retention: {
    name: 'retention',
    role: 'sweep',
    description: 'Queues the removal of old messages, once a day for each organization.',
    schedule: 'rate(1 hour)',
    timeoutSeconds: 240,
  },
  startPublishing: {
    name: 'content-publish',
    role: 'sweep',
    description: 'Queues due posts for publishing.',
    schedule: 'rate(1 minute)',
    timeoutSeconds: 50,
  },
  commentsPoll: {
    name: 'comments-poll',
    description: 'Fetches comments from networks that do not push them, or not all.',
    schedule: 'rate(5 minutes)',
    timeoutSeconds: 240,
  },
  healthWatch: {
    name: 'health-watch',
    role: 'watch',
    description: 'Checks all dependencies, and opens and closes incidents.',
    schedule: 'rate(1 minute)',
    timeoutSeconds: 30,
  },
  conversationClosing: {
    name: 'conversation-closing',
    role: 'sweep',
    description: 'Closes inactive conversations.',
    schedule: 'rate(1 hour)',
    timeoutSeconds: 240,
  },
  unansweredDigest: {
    name: 'unanswered-digest',
    description: 'Emails members about customers whom no agent answers.',
    schedule: 'rate(1 minute)',
    timeoutSeconds: 50,
  },
} as const satisfies Record<string, JobDefinition>;

export type JobKind = keyof typeof jobDefinitions;

type Payloads = typeof payloads & { readonly paymentEventWork: typeof paymentEventWork };

export type WorkPayload<Kind extends WorkKind> = ReadonlyDeep<z.output<Payloads[`${Kind}Work`]>>;
