import type { JobDefinition, WorkerDefinition } from './contract.ts';
import * as z from './zod.ts';

/**
 * What stands in a queue: where the outbox item lies that says what is to be done. The item is the
 * truth; a message whose item is gone has been worked off.
 */
export const workMessage = z.object({ pk: z.string(), sk: z.string() });

export type WorkMessage = z.output<typeof workMessage>;

export const workerDefinitions = {
  mail: {
    name: 'mail-delivery',
    description: 'Sends a mail that a change of state called for.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxReceiveCount: 5,
  },
  organizationRemoval: {
    name: 'organization-removal',
    description: 'Removes everything that belonged to a deleted organization.',
    timeoutSeconds: 300,
    batchSize: 1,
    maxReceiveCount: 20,
  },
  signupCleanup: {
    name: 'signup-cleanup',
    description: 'Deletes what an unfinished signup left at the payment provider.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxReceiveCount: 20,
  },
  refillCharge: {
    name: 'refill-charge',
    description: 'Charges the card of an automatic refill of credits.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxReceiveCount: 5,
  },
  paymentEvent: {
    name: 'payment-events',
    description: 'Works off what the payment provider tells.',
    timeoutSeconds: 60,
    batchSize: 5,
    maxReceiveCount: 20,
  },
  subscriptionEnd: {
    name: 'subscription-ending',
    description: 'Ends the subscription of a deleted organization at the payment provider.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxReceiveCount: 20,
  },
  leadRemoval: {
    name: 'lead-removal',
    description: 'Removes the activities of a deleted lead.',
    timeoutSeconds: 60,
    batchSize: 5,
    maxReceiveCount: 5,
  },
  leadImport: {
    name: 'lead-import',
    description: 'Makes leads of the rows of a file.',
    timeoutSeconds: 300,
    batchSize: 1,
    maxReceiveCount: 20,
  },
  webhook: {
    name: 'outbound-webhooks',
    description: 'Tells a receiver that an organization has named of something that happened.',
    timeoutSeconds: 30,
    batchSize: 5,
    maxConcurrency: 100,
    maxReceiveCount: 20,
  },
  accountSubscription: {
    name: 'account-subscription',
    description: 'Has a network send the events of a connected account.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxReceiveCount: 10,
  },
  accountDisconnected: {
    name: 'account-disconnection',
    description: 'Ends what a disconnected account has left, at its network and here.',
    timeoutSeconds: 120,
    batchSize: 1,
    maxReceiveCount: 10,
  },
  accountSnapshot: {
    name: 'account-snapshot',
    description: 'Fetches the figures of an account and of its posts.',
    timeoutSeconds: 120,
    batchSize: 1,
    maxConcurrency: 50,
    maxReceiveCount: 5,
  },
  contentPublish: {
    name: 'content-publishing',
    description: 'Publishes what is due of one social account, one post after another.',
    // An upload may take a minute, and what a dead worker leaves goes out within the next one. Its
    // posts are free before its round is, so that whoever takes that over gets them all.
    timeoutSeconds: 150,
    leaseSeconds: 25,
    batchSize: 1,
    maxConcurrency: 100,
    maxReceiveCount: 5,
  },
  inboundEvent: {
    name: 'inbound-events',
    description: 'Takes what a network told of, in order within a conversation.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxConcurrency: 100,
    maxReceiveCount: 5,
    inOrder: true,
  },
  replyPlanning: {
    name: 'reply-planning',
    description: 'Decides who answers what a customer wrote, and makes the lead.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxConcurrency: 100,
    maxReceiveCount: 5,
    inOrder: true,
  },
  reply: {
    name: 'replies',
    description: 'Has the AI service answer a customer, and sends the answer.',
    timeoutSeconds: 60,
    batchSize: 1,
    maxConcurrency: 100,
    maxReceiveCount: 5,
  },
  messageOutcome: {
    name: 'message-outcome',
    description: 'Settles a message whose sending was cut off.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxReceiveCount: 5,
  },
  bioClick: {
    name: 'bio-clicks',
    description: 'Counts a click on a bio link that could not be counted at once.',
    timeoutSeconds: 30,
    batchSize: 10,
    maxReceiveCount: 20,
  },
} as const satisfies Record<string, WorkerDefinition>;

export type WorkKind = keyof typeof workerDefinitions;

export const jobDefinitions = {
  dueWork: {
    name: 'due-work',
    description: 'Puts work into its queue whose time has come, or whose first message was lost.',
    schedule: 'rate(1 minute)',
    timeoutSeconds: 50,
  },
  creditRefill: {
    name: 'credit-refill',
    description: 'Begins the refills of credits that are due.',
    schedule: 'rate(5 minutes)',
    timeoutSeconds: 240,
  },
  paymentReconcile: {
    name: 'payment-reconcile',
    description: 'Settles payments whose outcome nobody has heard of.',
    schedule: 'rate(5 minutes)',
    timeoutSeconds: 240,
  },
  tokenRefresh: {
    name: 'token-refresh',
    description: 'Renews the tokens of social accounts before they end.',
    schedule: 'rate(15 minutes)',
    timeoutSeconds: 300,
  },
  metricsSnapshot: {
    name: 'metrics-snapshot',
    description: 'Has the figures of all social accounts, and of their posts, fetched.',
    schedule: 'rate(1 hour)',
    timeoutSeconds: 300,
  },
  contentPublish: {
    name: 'content-publish',
    description: 'Hands posts whose time has come to the workers that publish them.',
    schedule: 'rate(1 minute)',
    timeoutSeconds: 50,
  },
  commentsPoll: {
    name: 'comments-poll',
    description: 'Fetches the comments of networks that do not push them.',
    schedule: 'rate(5 minutes)',
    timeoutSeconds: 240,
  },
  healthWatch: {
    name: 'health-watch',
    description: 'Asks all dependencies how they are, and opens and closes incidents.',
    schedule: 'rate(1 minute)',
    timeoutSeconds: 30,
  },
  conversationClosing: {
    name: 'conversation-closing',
    description: 'Closes conversations in which nobody has written for a long time.',
    schedule: 'rate(1 hour)',
    timeoutSeconds: 240,
  },
} as const satisfies Record<string, JobDefinition>;

export type JobKind = keyof typeof jobDefinitions;
