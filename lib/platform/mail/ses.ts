import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { config } from '#lib/platform/config.ts';
import type { Mail } from './mails.ts';

/** No SDK retries: the queue retries, and an attempt that timed out may have sent the email. */
const client = new SESv2Client(
  clientSettings({
    endpoint: config.sesEndpoint,
    connectMs: config.mailTimeoutMs / 2,
    requestMs: config.mailTimeoutMs,
    maxAttempts: 1,
  }),
);

export async function sendMail({ to, subject, text, html }: Mail): Promise<void> {
  const set = config.mailConfigurationSet;
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: config.mailFrom,
      ...(set ? { ConfigurationSetName: set } : {}),
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
      },
    }),
  );
}
