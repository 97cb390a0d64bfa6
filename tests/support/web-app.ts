import { randomInt } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { type Platform, type Role, SocialLeads } from '#packages/sdk/src/index.ts';
import { freshEmail, password, signUpBody } from './accounts.ts';
import { accessibilityProblems } from './browser.ts';
import { patiently } from './patience.ts';
import { useStack } from './stack.ts';

/** A page of the web app, with the problems that the browser reported. */
export type AppPage = { readonly page: Page; readonly problems: string[] };

/** The address of a page of the web app. */
export function appUrl(path = ''): string {
  return `${useStack().api}/app${path}`;
}

/** Opens a page of the web app in a new browser context, which collects errors from the console. */
export async function openApp(
  browser: Browser,
  path = '',
  { width = 1280, height = 800 } = {},
): Promise<AppPage> {
  const context = await browser.newContext({ bypassCSP: true, viewport: { width, height } });

  return openTab(context, path);
}

/** Opens another tab of the same browser. */
export async function openTab(context: BrowserContext, path = ''): Promise<AppPage> {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      problems.push(message.text());
    }
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(appUrl(path));

  return { page, problems };
}

/** An owner with an organization, and a client that is signed in. */
export async function newOwner(email = freshEmail(), organizationName = 'Analytical Engines') {
  const { api: baseUrl } = useStack();
  const { authToken, organization } = await new SocialLeads({ baseUrl }).auth.signUp(
    signUpBody({ email, organizationName }),
  );

  return { email, organization, client: new SocialLeads({ baseUrl, token: authToken }) };
}

export type Owner = Awaited<ReturnType<typeof newOwner>>;

/** Signs in on the sign-in page. */
export async function signIn(page: Page, email: string, withPassword = password): Promise<void> {
  await fill(page, { Email: email, Password: withPassword });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens a page of the web app in a new browser context that is already signed in. */
export async function openSignedIn(
  browser: Browser,
  { email }: Pick<Owner, 'email'>,
  path: string,
  { width = 1280, height = 800 } = {},
): Promise<AppPage> {
  const { api: baseUrl } = useStack();
  const { authToken } = await new SocialLeads({ baseUrl }).auth.logIn({ email, password });
  const context = await browser.newContext({ bypassCSP: true, viewport: { width, height } });
  await context.addCookies([
    {
      name: '__Host-auth_token',
      value: authToken,
      url: baseUrl.replace('http:', 'https:'),
      secure: true,
      httpOnly: true,
      sameSite: 'None',
    },
  ]);

  return openTab(context, path);
}

export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, level: 1 });
}

/** Returns an id that nothing else at the networks in this run has. */
export function networkId(): string {
  return `${Date.now()}${randomInt(10_000, 100_000)}`;
}

/** Connects a page of the sandbox. */
export async function connectPage(
  { client, organization }: Owner,
  name = 'Bakery',
  platform: Platform = 'FACEBOOK',
) {
  const userId = networkId();
  const network = sandboxClient(useStack().sandbox).network(platform);
  const { socialAccount } = await client.social.connectAccount({
    organizationId: organization.id,
    platform,
    platformUserId: userId,
    platformUserName: name,
    ...(await network.issueTokens({ userId })),
  });

  return socialAccount;
}

/** Adds a person with this role who joined through an invitation. */
export async function newColleague({ client, organization }: Owner, role: Role) {
  const email = freshEmail('grace');
  await client.organizations.inviteMember({ organizationId: organization.id, email, role });
  const link = await linkMailedTo(email, '/invitations/accept');
  await new SocialLeads({ baseUrl: useStack().api }).organizations.acceptInvitation({
    token: new URL(link).searchParams.get('token') ?? '',
    firstName: 'Grace',
    lastName: 'Hopper',
    password,
  });

  return { email };
}

/** Makes matching requests fail until the returned function is called. */
export async function failing(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.fulfill({ status: 500, json: {} }));

  return () => page.unroute(url);
}

/**
 * Makes all requests of a page fail the first time. Expects that each failure is shown with `Try
 * again`, and that the page recovers and then contains a text.
 */
export async function expectFailuresShown(page: Page, path: string, text: string): Promise<void> {
  // Without the organization's time zone, times are in the browser's time zone.
  const except = /\/(?:auth\/me|organizations\/[\w-]+)$/;
  const requests = new Map<string, number>();
  await page.route(`${useStack().api}/**`, (route) => {
    const request = route.request();
    const url = request.url();
    if (request.method() !== 'GET' || request.resourceType() !== 'fetch' || except.test(url)) {
      return route.fallback();
    }
    const number = (requests.get(url) ?? 0) + 1;
    requests.set(url, number);

    return number === 1 ? route.fulfill({ status: 500, json: {} }) : route.fallback();
  });
  await page.goto(appUrl(path));
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().waitFor();
  await expect
    .poll(async () => {
      await page.evaluate(() => {
        for (const button of document.querySelectorAll<HTMLElement>('[role=alert] button')) {
          button.click();
        }
      });
      const isShown = await page.getByText(text).first().isVisible();

      return isShown ? [...requests].filter(([, number]) => number < 2) : undefined;
    })
    .toEqual([]);
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.unrouteAll();
}

/**
 * Expects a page without findings of axe, in light and dark mode, that scrolls in only one
 * direction.
 */
export async function expectAccessible(page: Page, widths: readonly number[] = [320, 1280]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect(await accessibilityProblems(page), `${page.url()} at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
}

/** Fills in fields by their labels. */
export async function fill(
  within: Page | Locator,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await within.getByLabel(label, { exact: true }).fill(value);
  }
}

/** Waits for an email and returns the app's URL that it links to. */
export async function linkMailedTo(email: string, path: string): Promise<string> {
  const sandbox = sandboxClient(useStack().sandbox);

  return vi.waitFor(async () => {
    const texts = (await sandbox.mails(email)).map(({ text }) => text);
    const link = texts
      .flatMap((text) => text?.match(/http\S+/g) ?? [])
      .find((url) => url.startsWith(appUrl(path)));
    expect(link, `no link to ${path}`).toBeDefined();

    return String(link);
  }, patiently);
}
