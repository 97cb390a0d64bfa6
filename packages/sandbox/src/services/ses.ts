import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { html, table, time } from '../frame/html.ts';
import { jsonAnswer, parseJson, refusal } from '../frame/http.ts';
import type {
  PageSection,
  SandboxAnswer,
  SandboxRequest,
  SandboxService,
  ServiceContext,
} from '../frame/service.ts';
import { awsHeaders, isSigned } from './aws-protocol.ts';
import type { SandboxMail } from './ses-mail-page.ts';
import { mailHtml, mailPage } from './ses-mail-page.ts';

const addressesSchema = z.array(z.string().min(1)).default([]);
const partSchema = z.object({ Data: z.string() });
const sendSchema = z.object({
  FromEmailAddress: z.string().min(1),
  ConfigurationSetName: z.string().optional(),
  Destination: z.object({
    ToAddresses: addressesSchema,
    CcAddresses: addressesSchema,
    BccAddresses: addressesSchema,
  }),
  Content: z.object({
    Simple: z.object({
      Subject: partSchema,
      Body: z
        .object({ Text: partSchema.optional(), Html: partSchema.optional() })
        .refine((body) => body.Text !== undefined || body.Html !== undefined),
    }),
  }),
});

const maximumRecipients = 50;
/** The configuration set of a stage. As in SES, other names do not exist. */
const configurationSet = /^social-leads-[a-z0-9]+$/;
const addressPattern = /^(?:[^<>\r\n]*<)?([^\s<>@,]+@[^\s<>@,]+)>?$/;

/**
 * Simulates Amazon SES v2 `SendEmail` with simple messages. Emails are stored and never leave the
 * sandbox.
 */
export function createSes({ clock }: ServiceContext): SandboxService {
  let mails: SandboxMail[] = [];

  return {
    name: 'ses',
    matches: (request) => request.path.startsWith('/v2/email/'),
    answer: (request) => {
      const outcome = readMail(request, clock());

      if ('status' in outcome) {
        return outcome;
      }

      mails.push(outcome);

      return jsonAnswer(200, { MessageId: outcome.id }, awsHeaders('application/json'));
    },
    failure: (status, message) => failure(status, failureType(status), message),
    reset: () => {
      mails = [];
    },
    control: [
      {
        method: 'GET',
        path: /^\/mails$/,
        answer: (request) =>
          jsonAnswer(200, { mails: mailsTo(mails, request.query.get('to') ?? undefined) }),
      },
      {
        method: 'GET',
        path: /^\/mails\/([^/]+)$/,
        answer: (_request, [id]) => {
          const mail = mails.find((one) => one.id === id);

          return mail ? mailPage(mail) : refusal(404, `No mail ${id}`);
        },
      },
      {
        method: 'GET',
        path: /^\/mails\/([^/]+)\/html$/,
        answer: (_request, [id]) => {
          const markup = mails.find((one) => one.id === id)?.html;

          return typeof markup === 'string'
            ? mailHtml(markup)
            : refusal(404, `No HTML of mail ${id}`);
        },
      },
    ],
    sections: () => [mailSection(mails)],
  };
}

function readMail(request: SandboxRequest, at: Date): SandboxMail | SandboxAnswer {
  if (!isSigned(request)) {
    return failure(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token');
  }

  if (request.method !== 'POST' || request.path !== '/v2/email/outbound-emails') {
    return { ...failure(404, 'UnknownOperationException', ''), unexpected: true };
  }

  const parsed = sendSchema.safeParse(parseJson(request.body));

  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';

    return failure(400, 'BadRequestException', `Invalid or missing value: ${where || 'body'}`);
  }

  const { Destination, Content, FromEmailAddress, ConfigurationSetName: set } = parsed.data;

  if (set !== undefined && !configurationSet.test(set)) {
    return failure(404, 'NotFoundException', `Configuration set <${set}> does not exist.`);
  }

  const recipients = [
    ...Destination.ToAddresses,
    ...Destination.CcAddresses,
    ...Destination.BccAddresses,
  ];
  const problem = addressProblem(FromEmailAddress, recipients);

  if (problem !== undefined) {
    return failure(400, 'BadRequestException', problem);
  }

  return {
    id: randomUUID(),
    at: at.toISOString(),
    from: FromEmailAddress,
    to: recipients.join(', '),
    subject: Content.Simple.Subject.Data,
    text: Content.Simple.Body.Text?.Data ?? null,
    html: Content.Simple.Body.Html?.Data ?? null,
  };
}

function addressProblem(from: string, recipients: readonly string[]): string | undefined {
  if (recipients.length === 0) {
    return 'At least one recipient is required';
  }

  if (recipients.length > maximumRecipients) {
    return 'Recipient count exceeds 50.';
  }

  const broken = [from, ...recipients].find((address) => !addressPattern.test(address));

  return broken === undefined ? undefined : `Invalid email address: ${broken}`;
}

function mailsTo(mails: readonly SandboxMail[], to: string | undefined): readonly SandboxMail[] {
  return to === undefined
    ? mails
    : mails.filter((mail) =>
        mail.to.split(', ').some((one) => bareAddress(one) === bareAddress(to)),
      );
}

function bareAddress(address: string): string {
  return (addressPattern.exec(address)?.[1] ?? address).toLowerCase();
}

function failure(status: number, type: string, message: string): SandboxAnswer {
  return jsonAnswer(
    status,
    { message },
    { ...awsHeaders('application/json'), 'x-amzn-errortype': type },
  );
}

function failureType(status: number): string {
  if (status === 429) {
    return 'TooManyRequestsException';
  }

  return status >= 500 ? 'InternalServiceErrorException' : 'BadRequestException';
}

function mailSection(mails: readonly SandboxMail[]): PageSection {
  const rows = mails
    .toReversed()
    .map((mail) => [
      time(new Date(mail.at)),
      mail.to,
      html`<a href="/_sandbox/mails/${mail.id}">${mail.subject}</a>`,
    ]);

  return {
    id: 'mails',
    title: 'Emails',
    content: table(
      'Sent emails, newest first',
      ['Time (UTC)', 'To', 'Subject'],
      rows,
      'No emails yet.',
    ),
  };
}
