import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSetup, type World } from '#packages/sandbox/tests/setup.ts';
import { accessibilityProblems, useBrowser } from '#tests/support/browser.ts';

const browser = await useBrowser();

const mailMarkup = `<!doctype html><html lang="en"><title>Hello</title><body style="color:#123456">
<p>See <a href="http://localhost/x">this</a></p><script>document.body.textContent = 'ran'</script>`;

async function fillWorld(): Promise<World> {
  const world = await startSetup({ 'social-leads/test': '{}' });
  await world.stripe.customers.create({ name: 'Ada', payment_method: 'pm_card_visa' });
  await world.ses.send(
    new SendEmailCommand({
      FromEmailAddress: 'a@example.com',
      Destination: { ToAddresses: ['b@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: 'Hello' },
          Body: {
            Text: { Data: 'See http://localhost/x' },
            Html: { Data: mailMarkup },
          },
        },
      },
    }),
  );
  await world.control.addFault({ service: 'hooks', mode: 'down' });
  const from = { id: 'customer-1', name: 'Ada' };
  await world.control
    .network('INSTAGRAM')
    .sendEvent({ userId: 'ig-1', type: 'comment', text: 'Nice', from, deliveries: 0 });

  return world;
}

describe('the sandbox page in a browser', () => {
  test('has no accessibility violations', async () => {
    const { url } = await fillWorld();
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${url}/_sandbox`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.close();
  });

  test('shows a mail as plain text, and as HTML in a frame as wide as a phone', async () => {
    const { url } = await fillWorld();
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await page.goto(`${url}/_sandbox`);
    await page.getByRole('link', { name: 'Hello' }).click();

    const text = page.getByRole('region', { name: 'Plain text' });
    const frame = page.getByTitle('The mail as HTML');
    const [textBox, frameBox] = [await text.boundingBox(), await frame.boundingBox()];
    expect(await text.getByRole('link').getAttribute('href')).toBe('http://localhost/x');
    expect(frameBox?.width).toBe(377);
    expect(frameBox?.x).toBeGreaterThan((textBox?.x ?? 0) + (textBox?.width ?? 0));
    const body = page.frameLocator('iframe').locator('body');
    expect(await body.textContent()).toContain('See this');
    expect(await body.getAttribute('style')).toBe('color:#123456');
    expect(await frame.getAttribute('sandbox')).toBe('');
    await page.close();
  });

  test('shows a mail without accessibility violations', async () => {
    const { url } = await fillWorld();
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${url}/_sandbox`);
    await page.getByRole('link', { name: 'Hello' }).click();
    await page.getByTitle('The mail as HTML').waitFor();
    expect(await accessibilityProblems(page, { iframes: false })).toEqual([]);
    await page.close();
  });

  test('shows posts and conversations, and sends a message as a customer', async () => {
    const { url, control } = await fillWorld();
    const facebook = control.network('FACEBOOK');
    await control.setServiceUrl(url);
    const page = await browser.newPage();
    await page.goto(`${url}/_sandbox`);

    await page.getByLabel('Network').selectOption('FACEBOOK');
    await page.getByLabel('Type').selectOption('message');
    await page.getByLabel('Account ID').fill('page-1');
    await page.getByLabel('Text').fill('How much is it?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('table', { name: /messages and comments/ })
      .getByText('How much')
      .waitFor();
    const [delivered] = await control.requests({ contains: 'How much is it?' });
    expect(delivered).toMatchObject({ method: 'POST', path: '/webhooks/facebook' });

    await facebook.issueTokens({ userId: 'page-1', userName: 'Bakery' });
    await page.reload();
    await page.getByRole('cell', { name: 'Bakery' }).waitFor();
    await page.close();
  });

  test.each(['Allow', 'Deny'])(
    'asks for consent and returns to the service after %s',
    async (answer) => {
      const { url, control } = await startSetup();
      const service = createServer((_request, response) => response.end('<title>Service</title>'));
      await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void service.close());
      const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
      await control.setServiceUrl(serviceUrl);
      await control
        .network('FACEBOOK')
        .addPerson({ id: 'ada', name: 'Ada', accounts: [{ id: '1', name: 'Bakery' }] });
      const redirectUri = `${serviceUrl}/social/oauth/facebook/callback`;
      const query = new URLSearchParams({
        client_id: 'sandbox-facebook-app',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'pages_show_list',
        state: 'state-1',
      });
      const page = await browser.newPage();
      await page.goto(`${url}/facebook/v25.0/dialog/oauth?${query}`);

      await page.getByLabel('Sign in as').selectOption('Ada');
      await page.getByRole('button', { name: answer }).click();
      await page.waitForURL(`${redirectUri}?**`);
      const { searchParams } = new URL(page.url());
      expect(searchParams.get('state')).toBe('state-1');
      expect(searchParams.has(answer === 'Allow' ? 'code' : 'error')).toBe(true);
      await page.close();
    },
  );

  test('adds, rejects, and ends faults, and clears everything', async () => {
    const { url, control } = await startSetup();
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${url}/_sandbox`);

    await page.getByLabel('Service').selectOption('stripe');
    await page.getByLabel('Mode').selectOption('error');
    await page.getByLabel('Status (for error)').fill('429');
    await page.getByLabel('Times (optional)').fill('2');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByRole('table', { name: 'Active faults' }).waitFor();
    expect(await control.faults()).toMatchObject([
      { service: 'stripe', mode: 'error', status: 429, remaining: 2 },
    ]);

    await page.getByRole('button', { name: 'End the error fault of stripe' }).click();
    await page.getByText('No active faults.').waitFor();
    expect(await control.faults()).toEqual([]);
    expect(problems).toEqual([]);

    await page.getByLabel('Path regex').fill('(');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('Error: path must be a regular expression').waitFor();

    await fetch(`${url}/_sandbox/hooks/orders`);
    await page.getByRole('button', { name: 'Reset everything' }).click();
    await expect.poll(() => control.requests()).toEqual([]);
    await page.close();
  });
});
