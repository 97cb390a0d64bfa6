import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sendMail } from '#lib/platform/mail/ses.ts';

const client = mockClient(SESv2Client);
const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

beforeEach(() => {
  client.reset();
  client.on(SendEmailCommand).resolves({ MessageId: '1' });
  vi.stubEnv('MAIL_FROM', 'no-reply@example.com');
});
afterEach(() => vi.unstubAllEnvs());

function sentInput() {
  return client.commandCalls(SendEmailCommand)[0]?.args[0].input;
}

it('SES sends with the configuration set of the stage', async () => {
  vi.stubEnv('MAIL_CONFIGURATION_SET', 'social-leads-prod');

  await sendMail(mail);

  expect(sentInput()).toMatchObject({ ConfigurationSetName: 'social-leads-prod' });
});

it("SES uses the default of the sender's identity if no configuration set is given", async () => {
  vi.stubEnv('MAIL_CONFIGURATION_SET', '');

  await sendMail(mail);

  expect(sentInput()).not.toHaveProperty('ConfigurationSetName');
});
