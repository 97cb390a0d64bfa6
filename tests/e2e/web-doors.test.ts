import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { freshEmail, password } from '#tests/support/accounts.ts';
import { accessibilityProblems, useBrowser } from '#tests/support/browser.ts';
import { runsAll } from '#tests/support/depth.ts';
import {
  appUrl,
  close,
  fill,
  heading,
  linkMailedTo,
  newOwner,
  openApp,
  signIn,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();

function codeOf(secret: string, afterSeconds = 0): string {
  const timestamp = Date.now() + afterSeconds * 1_000;

  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

test('a new person signs up on a phone, and returns to the page of a link', async () => {
  const email = freshEmail();
  const { page, problems } = await openApp(browser, '/leads', { width: 390, height: 844 });
  await page.getByRole('link', { name: 'Create an account' }).click();
  await fill(page, {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Email: email,
    Password: 'short',
    'Organization name': 'Analytical Engines',
  });
  await page.getByLabel('Test card').selectOption({ label: 'Declined' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Must be at least 8 characters.').waitFor();
  await fill(page, { Password: password });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').getByText('declined').waitFor();
  await page.getByLabel('Test card').selectOption({ label: 'Visa' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await heading(page, 'Home').waitFor();
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Settings' }).click();
  await heading(page, 'Settings').waitFor();
  await main.getByRole('button', { name: 'More', expanded: false }).click();
  await main.getByRole('link', { name: 'Accounts' }).click();
  await main.getByRole('button', { name: 'More', expanded: false }).waitFor();

  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).toBe(
    '{}',
  );
  // Signing out may overtake requests of the page, which are then rejected.
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.goto(appUrl('/leads'));
  await signIn(page, email);
  await heading(page, 'Leads').waitFor();
  expect(page.url()).toBe(appUrl('/leads'));
  await close(page);
});

test('a session that ended elsewhere leads to the sign-in page, at the same address', async () => {
  const { email } = await newOwner();
  const { page } = await openApp(browser, '/inbox');
  await signIn(page, email);
  await heading(page, 'Inbox').waitFor();
  const other = await page.context().newPage();
  await other.goto(appUrl());
  await other.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();

  expect(page.url()).toBe(appUrl('/inbox'));
  await close(page);
});

test('the sign-in page explains wrong credentials and a lost connection', async () => {
  const { email } = await newOwner();
  const { page } = await openApp(browser);
  await signIn(page, email, 'wrong password');
  await page.getByRole('alert').getByText('Invalid email or password').waitFor();
  await page.route('**/auth/login', (route) => route.abort());
  await signIn(page, email);
  await page.getByRole('alert').getByText('We couldn’t reach Social Leads').waitFor();
  await page.unroute('**/auth/login');
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'Home').waitFor();
  await close(page);
});

test('the sign-in page asks for a second factor', async () => {
  const { email, client } = await newOwner();
  const { secret } = await client.auth.setUpTwoFactor({});
  await client.auth.enableTwoFactor({ code: codeOf(secret) });
  const { page } = await openApp(browser);
  await signIn(page, email);
  await fill(page, { Code: '000000' });
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('alert').getByText('Invalid code').waitFor();
  await fill(page, { Code: codeOf(secret, 30) });
  await page.getByRole('button', { name: 'Verify' }).click();
  await heading(page, 'Home').waitFor();
  await close(page);
});

test('a forgotten password is replaced through a mailed link', async () => {
  const { email } = await newOwner();
  const { page } = await openApp(browser);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await fill(page, { Email: email });
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('status').getByText('we sent a link').waitFor();
  await page.goto(await linkMailedTo(email, '/password/reset'));
  await fill(page, { 'New password': 'a better battery' });
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, email, 'a better battery');
  await heading(page, 'Home').waitFor();
  await close(page);
});

test('mailed links verify an address, and restore the former one', async () => {
  const { email, client } = await newOwner();
  await client.auth.requestEmailVerification({});
  const { page } = await openApp(browser, '/sign-in');
  await page.goto(await linkMailedTo(email, '/email/verify'));
  await heading(page, 'Email verified').waitFor();
  await client.auth.updateMe({ email: freshEmail('new') });
  await page.goto(await linkMailedTo(email, '/email/revert'));
  await page.getByRole('button', { name: 'Restore this address' }).click();
  await heading(page, 'Email restored').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Restore this address' }).click();
  await page.getByRole('alert').waitFor();
  await close(page);
});

describe('an invitation', () => {
  async function invite() {
    const { client, organization } = await newOwner();
    const email = freshEmail('grace');
    await client.organizations.inviteMember({
      organizationId: organization.id,
      email,
      role: 'MEMBER',
    });

    return { email, link: await linkMailedTo(email, '/invitations/accept') };
  }

  test('creates an account in the organization', async () => {
    const { link } = await invite();
    const { page, problems } = await openApp(browser, '/sign-in');
    await page.goto(link);
    await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor();
    await fill(page, { 'First name': 'Grace', 'Last name': 'Hopper', Password: password });
    await page.getByRole('button', { name: 'Join' }).click();
    await heading(page, 'Home').waitFor();
    await page.goto(link);
    await page.getByText('This invitation was already accepted').waitFor();

    expect(problems).toEqual([]);
    await close(page);
  });

  test('is accepted by a person with an account, who can then switch', async () => {
    const { email, link } = await invite();
    await newOwner(email, 'Compilers');
    const { page } = await openApp(browser, '/sign-in');
    await page.goto(link);
    await signIn(page, email);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(page, 'Home').waitFor();
    await page.getByRole('button', { name: 'Switch organization: Analytical Engines' }).click();
    await page.getByRole('button', { name: 'Compilers', exact: true }).click();
    await page.getByRole('button', { name: 'Switch organization: Compilers' }).waitFor();
    await close(page);
  });
});

test('Google signs up a new person by redirects, and later signs them in', async () => {
  const email = freshEmail('grace');
  const { page, problems } = await openApp(browser, '/inbox');
  const goToGoogle = async () => {
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await fill(page, { Email: email });
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await goToGoogle();
  await fill(page, { 'Organization name': 'Compilers' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await heading(page, 'Inbox').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await goToGoogle();
  await heading(page, 'Inbox').waitFor();
  await page.goto(appUrl('/google#id_token=stolen&state=made-up'));
  await page.getByRole('alert').getByText('doesn’t belong to a sign-in').waitFor();

  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  await close(page);
});

test.each([
  ['/invitations/accept?token=x', 'Ask the person who invited you for a new one'],
  ['/email/verify?token=x', 'Send a new link'],
  ['/password/reset?token=x', 'Send a new link'],
])('%s says how to get a link that works', async (path, help) => {
  const { page } = await openApp(browser, path);
  await page.getByText(help).waitFor();
  await close(page);
});

test('an unknown address shows a message and a link to the home page', async () => {
  const { email } = await newOwner();
  const { page } = await openApp(browser, '/nowhere/at/all');
  await signIn(page, email);
  await heading(page, 'Page not found').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await heading(page, 'Home').waitFor();
  await close(page);
});

/** A slow mobile network. */
const slow = { roundTripMs: 150, bytesPerSecond: 200_000 } as const;

test('the sign-in page appears within 1.5 seconds on a slow network', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const addresses = new Map<string, string>();
  const depths = new Map<string, number>();
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request, initiator }) => {
    const cause = initiator.url ?? initiator.stack?.callFrames[0]?.url ?? '';
    addresses.set(requestId, request.url);
    depths.set(request.url, (depths.get(cause) ?? 0) + 1);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += addresses.has(requestId) ? encodedDataLength : 0;
  });
  await page.goto(appUrl('/sign-in'));
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();

  // No file is discovered late, because the page refers to all of its files.
  expect(Math.max(...depths.values())).toBe(2);
  // TCP, TLS and the page, and then its files over six connections, as with HTTP/1.1.
  const roundTrips = 3 + Math.ceil((depths.size - 1) / 6);
  const computedMs = roundTrips * slow.roundTripMs + (bytes / slow.bytesPerSecond) * 1_000;
  expect(bytes).toBeGreaterThan(20_000);
  expect(computedMs).toBeLessThan(1_500);
  await context.close();
});

/** The others are forms and messages like these. */
const alike = runsAll
  ? ['/password/forgot', '/password/reset?token=x', '/email/revert?token=x']
  : [];

test.each([
  '/sign-in',
  '/sign-up',
  '/email/verify?token=x',
  '/invitations/accept?token=x',
  ...alike,
])('the page %s is accessible, and fits 320 pixels', async (path) => {
  const { page } = await openApp(browser, path, { width: 320, height: 640 });
  await page.getByRole('heading', { level: 1 }).waitFor();

  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await close(page);
});
