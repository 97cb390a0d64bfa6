import {
  GetAccountCommand,
  SendEmailCommand,
  type SendEmailCommandInput,
} from '@aws-sdk/client-sesv2';
import { expect, test } from 'vitest';
import { refusalOf, startSetup } from './setup.ts';

function mail(
  to: readonly string[],
  change: Partial<SendEmailCommandInput> = {},
): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: 'Social Leads <hello@example.com>',
    Destination: { ToAddresses: [...to] },
    Content: {
      Simple: {
        Subject: { Data: 'Grüße' },
        Body: { Text: { Data: 'Open http://localhost/x' }, Html: { Data: '<p>Open</p>' } },
      },
    },
    ...change,
  });
}

test('the SES stand-in stores sent mails', async () => {
  const { ses, control } = await startSetup();

  const { MessageId } = await ses.send(mail(['ada@example.com']));

  expect(await control.mails()).toEqual([
    {
      id: MessageId,
      at: expect.any(String),
      from: 'Social Leads <hello@example.com>',
      to: 'ada@example.com',
      subject: 'Grüße',
      text: 'Open http://localhost/x',
      html: '<p>Open</p>',
    },
  ]);
});

test('the SES stand-in rejects a configuration set that the template does not create', async () => {
  const { ses } = await startSetup();

  await expect(
    ses.send(mail(['ada@example.com'], { ConfigurationSetName: 'social-leads-local' })),
  ).resolves.toBeDefined();
  await expect(
    ses.send(mail(['ada@example.com'], { ConfigurationSetName: 'other' })),
  ).rejects.toMatchObject({
    name: 'NotFoundException',
    message: 'Configuration set <other> does not exist.',
  });
});

test('the SES stand-in finds mails by recipient, ignoring case', async () => {
  const { ses, control } = await startSetup();
  await ses.send(mail(['Ada@example.com', 'Grace <grace@example.com>']));
  await ses.send(mail(['alan@example.com']));

  expect(await control.mails('ada@example.com')).toHaveLength(1);
  expect(await control.mails('grace@example.com')).toMatchObject([
    { to: 'Ada@example.com, Grace <grace@example.com>' },
  ]);
  expect(await control.mails('nobody@example.com')).toEqual([]);
});

test.each([
  ['no recipient', mail([])],
  ['no address', mail(['ada'])],
  ['a line break in an address', mail(['ada@example.com\r\nBcc: eve@example.com'])],
  ['no content', mail(['ada@example.com'], { Content: {} })],
])('the SES stand-in rejects a mail with %s and does not store it', async (_what, command) => {
  const { ses, control } = await startSetup();

  expect(await refusalOf(ses.send(command))).toMatchObject({ name: 'BadRequestException' });
  expect(await control.mails()).toEqual([]);
});

test('the SES stand-in returns 503 during an outage', async () => {
  const { ses, control } = await startSetup();
  await control.addFault({ service: 'ses', mode: 'down' });

  expect(await refusalOf(ses.send(mail(['ada@example.com'])))).toMatchObject({
    $metadata: { httpStatusCode: 503 },
  });
});

test('the SES stand-in rejects an unsupported operation and records it as unexpected', async () => {
  const { ses, control } = await startSetup();

  expect(await refusalOf(ses.send(new GetAccountCommand({})))).toMatchObject({
    name: 'UnknownOperationException',
    $metadata: { httpStatusCode: 404 },
  });
  expect(await control.requests()).toMatchObject([
    { service: 'ses', status: 404, unexpected: true },
  ]);
});
