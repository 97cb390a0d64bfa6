import { randomInt } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { type Platform, type Role, SocialLeads } from '#packages/sdk/src/index.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { freshEmail, password, signUpBody } from './accounts.ts';
import { accessibilityProblems, type ColorScheme, colorSchemes } from './browser.ts';
import { runsAll } from './depth.ts';
import { patiently } from './patience.ts';
import { useStack } from './stack.ts';

/**
 * Defines a test that only full runs have, because the default run tests the same behavior in
 * another area of the app.
 */
export function testInFullRuns(name: string, run: () => Promise<void>): void {
  if (runsAll) {
    test(name, run);
  }
}

/** A page of the web app, with the problems that the browser reported. */
export type AppPage = { readonly page: Page; readonly problems: string[] };

/** The address of a page of the web app. */
export function appUrl(path = ''): string {
  return `${useStack().api}/app${path}`;
}

/** Contexts whose pages are closed. They have the app's code in their cache. */
const unused: BrowserContext[] = [];

/** Opens a page of the web app for a new person. Collects errors from the console. */
export async function openApp(
  browser: Browser,
  path = '',
  viewport = { width: 1280, height: 800 },
): Promise<AppPage> {
  return openTab(await openContext(browser), path, viewport);
}

async function openContext(browser: Browser): Promise<BrowserContext> {
  return unused.pop() ?? browser.newContext({ bypassCSP: true });
}

/** Closes all tabs of a person, and removes what the browser has stored for this person. */
export async function close(page: Page): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  const { api: origin } = useStack();
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await context.clearCookies();
  await page.close();
  unused.push(context);
}

/** Marks the document when its connection for live updates is open. */
const marksLive = `
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      this.addEventListener('open', () => {
        document.documentElement.dataset.live = 'yes';
      });
    }
  };
`;

/** Opens another tab of the same browser. */
export async function openTab(
  context: BrowserContext,
  path = '',
  viewport = { width: 1280, height: 800 },
): Promise<AppPage> {
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  await page.addInitScript(marksLive);
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

  const client = new SocialLeads({ baseUrl, token: authToken });

  return { email, organization, client, token: authToken };
}

export type Owner = Awaited<ReturnType<typeof newOwner>>;

/** Signs in on the sign-in page. */
export async function signIn(page: Page, email: string, withPassword = password): Promise<void> {
  await fill(page, { Email: email, Password: withPassword });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens a page of the web app for a person who is already signed in. */
export async function openSignedIn(
  browser: Browser,
  { token }: { readonly token: string },
  path: string,
  viewport = { width: 1280, height: 800 },
): Promise<AppPage> {
  const { api: baseUrl } = useStack();
  const context = await openContext(browser);
  await context.addCookies([
    {
      name: '__Host-auth_token',
      value: token,
      url: baseUrl.replace('http:', 'https:'),
      secure: true,
      httpOnly: true,
      sameSite: 'None',
    },
  ]);

  return openTab(context, path, viewport);
}

/** Waits until a page receives live updates. Earlier events do not reach it. */
export function untilLive(page: Page): Promise<void> {
  return page.locator('html[data-live]').waitFor();
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

/** Creates an active campaign with one keyword, and with its own template if none is given. */
export async function newCampaign(
  { client, organization }: Owner,
  socialAccountId: string,
  {
    name = 'Spring sale',
    keyword = 'price',
    channel = 'COMMENT',
    promptTemplateId,
  }: {
    readonly name?: string;
    readonly keyword?: string;
    readonly channel?: 'COMMENT' | 'DIRECT_MESSAGE';
    readonly promptTemplateId?: string;
  } = {},
) {
  const inPath = { organizationId: organization.id };
  const [{ pipelines }, templateId] = await Promise.all([
    client.leads.listPipelines(inPath),
    promptTemplateId ?? newTemplate(client, organization.id, `For ${name}`),
  ]);
  const { campaign } = await client.campaigns.create({
    ...inPath,
    name,
    pipelineId: pipelines[0]?.id ?? '',
    platform: 'FACEBOOK',
    socialAccountIds: [socialAccountId],
    keywords: [{ keyword, matchType: 'CONTAINS', priority: 1 }],
    agentConfigs: [{ channel, promptTemplateId: templateId }],
  });

  return campaign;
}

/** Creates a template and returns its id. */
export async function newTemplate(
  client: Owner['client'],
  organizationId: string,
  name = 'Sales',
): Promise<string> {
  const { promptTemplate } = await client.ai.createPromptTemplate({
    organizationId,
    name,
    templateContent: 'You answer for {{companyName}}.',
    businessInfo: { companyName: 'Bakery' },
  });

  return promptTemplate.id;
}

/** Adds an image to the media library and returns its id. */
export async function storeImage(
  { client, organization: { id: organizationId } }: Pick<Owner, 'client' | 'organization'>,
  fileName = 'engine.jpg',
): Promise<string> {
  const body = new Uint8Array(jpeg());
  const contentType = 'image/jpeg';
  const { media, upload } = await client.media.createUpload({
    organizationId,
    fileName,
    contentType,
    bytes: body.length,
  });
  await fetch(upload.url, { method: 'PUT', headers: { 'content-type': contentType }, body });
  const inPath = { organizationId, mediaId: media.id };
  await client.media.completeUpload(inPath);
  await vi.waitFor(async () => {
    expect((await client.media.get(inPath)).media.status).toBe('READY');
  }, patiently);

  return media.id;
}

/** Adds a person with this role who joined through an invitation. */
export async function newColleague({ client, organization }: Owner, role: Role) {
  const email = freshEmail('grace');
  await client.organizations.inviteMember({ organizationId: organization.id, email, role });
  const link = await linkMailedTo(email, '/invitations/accept');
  const accepted = await new SocialLeads({
    baseUrl: useStack().api,
  }).organizations.acceptInvitation({
    token: new URL(link).searchParams.get('token') ?? '',
    firstName: 'Grace',
    lastName: 'Hopper',
    password,
  });

  return { email, token: 'authToken' in accepted ? accepted.authToken : '' };
}

/** Makes matching requests fail until the returned function is called. */
export async function failing(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.fulfill({ status: 500, json: {} }));

  return () => page.unroute(url);
}

let checkedPages = 0;

/** Resolves when the page has changed to its new width. axe cannot judge a page that changes. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/**
 * Expects a page that scrolls in one direction only, and that axe accepts. By default, axe checks
 * every other page at the narrowest width in light mode, and the rest at the widest in dark mode. A
 * full run checks all of both.
 */
export async function expectAccessible(page: Page, widths: readonly number[] = [320, 1280]) {
  const isLight = checkedPages % 2 === 0;
  checkedPages += 1;
  const isChecked = (scheme: ColorScheme, width: number) =>
    runsAll || (isLight === (scheme === 'light') && width === widths.at(isLight ? 0 : -1));
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(drawn);
    const schemes = colorSchemes.filter((scheme) => isChecked(scheme, width));
    const problems = await accessibilityProblems(page, { schemes });
    expect(problems, `${page.url()} at ${width}`).toEqual([]);
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
