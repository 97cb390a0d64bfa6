import { randomUUID } from 'node:crypto';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { logIn, signUp } from '#schemas/auth.ts';
import { type Contract, kebabCase, queueName } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { acceptInvitation, inviteMember } from '#schemas/organizations.ts';
import { sandboxClient } from '#scripts/sandbox/client.ts';
import { type Call, gatewayEvent, lambdaContext } from './gateway-event.ts';

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** Imports a function's handler from its source. */
export async function loadHandler(folder: string, name: string): Promise<Handler> {
  const { handler } = await import(`../../../functions/${folder}/${name}.ts`);

  return handler;
}

/** The helpers that scenes use to create data before the measured call. */
export type World = ReturnType<typeof createWorld>;

export const password = 'correct horse battery';

export type Account = {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  readonly organizationId: string;
};

/** Calls the service through its handlers, creates users, and processes emails and queued work. */
export function createWorld(sandboxUrl: string) {
  const sandbox = sandboxClient(sandboxUrl);
  const queues = createQueues();

  async function call(contract: Contract, options: Call) {
    const handler = await loadHandler(contract.area, kebabCase(contract.operationId));
    const answer = (await handler(gatewayEvent(contract, options), lambdaContext())) as HttpAnswer;
    if (answer.statusCode >= 400) {
      throw new Error(`${contract.operationId} answered ${answer.statusCode}: ${answer.body}`);
    }

    return JSON.parse(answer.body ?? '{}');
  }

  async function newAccount(): Promise<Account> {
    const body = newSignUp();
    const { user, authToken, organization } = await call(signUp, { body });

    return {
      userId: user.id,
      email: body.email,
      token: authToken,
      organizationId: organization.id,
    };
  }

  /** Returns the token in the newest email to an address. */
  async function tokenMailedTo(email: string): Promise<string> {
    await queues.drain();
    const mails = await sandbox.mails(email);
    const newest = mails.toSorted((one, other) => other.at.localeCompare(one.at))[0];
    const token = /[?&]token=([A-Za-z0-9_-]+)/.exec(newest?.text ?? '')?.[1];
    if (!token) {
      throw new Error('No email with a token was found');
    }

    return token;
  }

  async function invite(inviter: Account, email: string) {
    const { invitation } = await call(inviteMember, {
      params: { organization_id: inviter.organizationId },
      body: { email, role: 'MEMBER' },
      token: inviter.token,
    });

    return { invitationId: String(invitation.id), invitationToken: await tokenMailedTo(email) };
  }

  /** Creates a user who joins the inviter's organization. */
  async function newMember(inviter: Account): Promise<Account> {
    const account = await newAccount();
    const { invitationToken } = await invite(inviter, account.email);
    await call(acceptInvitation, { body: { token: invitationToken }, token: account.token });

    return account;
  }

  /** Creates another session of the same user. */
  async function secondToken({ email }: Account): Promise<string> {
    return (await call(logIn, { body: { email, password } })).authToken;
  }

  /** Signs in with the password of a user who also needs a code, and returns the challenge. */
  async function challengeOf(email: string): Promise<string> {
    const handler = await loadHandler('auth', 'log-in');
    const event = gatewayEvent(logIn, { body: { email, password } });
    const { body = '{}' } = (await handler(event, lambdaContext())) as HttpAnswer;

    return JSON.parse(body).challengeToken;
  }

  return {
    sandbox,
    call,
    challengeOf,
    newAccount,
    invite,
    newMember,
    secondToken,
    tokenMailedTo,
    queues,
  };
}

export function newEmail(): string {
  return `ada-${randomUUID()}@example.com`;
}

export function newSignUp() {
  return {
    email: newEmail(),
    password,
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationName: 'Analytical Engines',
    timezone: 'Europe/London',
    paymentMethodId: 'pm_card_visa',
  };
}

function createQueues() {
  const sqs = new SQSClient({ endpoint: process.env.SQS_ENDPOINT ?? '' });
  const urlOf = (name: string) => {
    const worker = workers.find((known) => known.name === name);

    return `${process.env.QUEUE_URL_PREFIX}${queueName(worker ?? { name })}`;
  };

  /** Receives and deletes messages from the queue. */
  async function take(worker: string): Promise<readonly Message[]> {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: urlOf(worker), MaxNumberOfMessages: 10 }),
    );
    if (Messages.length > 0) {
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle,
      }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: urlOf(worker), Entries }));
    }

    return Messages;
  }

  /** Processes all messages in the queues. */
  async function drain(): Promise<void> {
    for (const { name } of workers) {
      const handler = await loadHandler('workers', name);
      for (let batch = await take(name); batch.length > 0; batch = await take(name)) {
        await handler(sqsEvent(batch), lambdaContext());
      }
    }
  }

  return { drain, takeEvent: async (worker: string) => sqsEvent(await take(worker)) };
}

/** The event that SQS passes to a function. */
function sqsEvent(messages: readonly Message[]): SQSEvent {
  return {
    Records: messages.map(({ MessageId = '', Body = '', ReceiptHandle = '' }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '0',
        SenderId: 'bench',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:bench',
      awsRegion: 'us-east-1',
    })),
  };
}
