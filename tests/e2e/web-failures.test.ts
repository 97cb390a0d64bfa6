import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { runsAll } from '#tests/support/depth.ts';
import { patiently } from '#tests/support/patience.ts';
import { useStack } from '#tests/support/stack.ts';
import {
  appUrl,
  connectPage,
  fill,
  heading,
  linkMailedTo,
  newCampaign,
  newOwner,
  newTemplate,
  openApp,
  openTab,
  signIn,
  storeImage,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();
let page: Page;
let business: Awaited<ReturnType<typeof newBusiness>>;

beforeAll(async () => {
  business = await newBusiness();
  ({ page } = await openApp(browser));
  await signIn(page, business.email);
  await heading(page, 'Home').waitFor();
  await page.addInitScript(failEachOnce);
});

/** An owner who uses everything: a customer wrote a keyword, got an answer and became a lead. */
async function newBusiness() {
  const owner = await newOwner();
  const { client, organization, email } = owner;
  const inPath = { organizationId: organization.id };
  const [account, promptTemplateId] = await Promise.all([
    connectPage(owner),
    newTemplate(client, organization.id),
  ]);
  const invited = freshEmail('grace');
  const [campaign, { aiAgent }, { group }] = await Promise.all([
    newCampaign(owner, account.id, { channel: 'DIRECT_MESSAGE', promptTemplateId }),
    client.ai.createAgent({
      ...inPath,
      name: 'Baker',
      promptTemplateId,
      channels: ['DIRECT_MESSAGE'],
    }),
    client.content.createGroup({
      ...inPath,
      content: 'Old bread',
      draft: true,
      targets: [{ socialAccountId: account.id }],
    }),
    client.organizations.inviteMember({ ...inPath, email: invited, role: 'MEMBER' }),
    client.organizations.createWebhook({
      ...inPath,
      url: `${useStack().sandbox}/_sandbox/hooks/failures`,
      events: ['member.joined'],
    }),
  ]);
  await Promise.all([
    storeImage(owner),
    client.ai.createKnowledgeSource({
      ...inPath,
      type: 'TEXT',
      name: 'Opening hours',
      text: 'We open at six in the morning.',
    }),
  ]);
  await sandboxClient(useStack().sandbox)
    .network('FACEBOOK')
    .sendEvent({
      userId: account.platformUserId,
      type: 'message',
      text: 'What is the price?',
      from: { id: `c-${account.platformUserId}`, name: 'Charles Babbage' },
    });
  const lead = await vi.waitFor(async () => {
    const { leads } = await client.leads.list(inPath);
    expect(leads).toHaveLength(1);

    return leads[0];
  }, patiently);
  const conversation = await vi.waitFor(async () => {
    const { conversations } = await client.ai.listConversations(inPath);
    expect(conversations).toMatchObject([{ lastMessage: { direction: 'OUT' } }]);

    return conversations[0];
  }, patiently);

  return {
    email,
    campaign: campaign.id,
    agent: aiAgent.id,
    template: promptTemplateId,
    group: group.id,
    post: group.posts[0]?.id ?? '',
    lead: lead?.id ?? '',
    conversation: conversation?.id ?? '',
    invitation: new URL(await linkMailedTo(invited, '/invitations/accept')).search,
  };
}

type Visit = {
  /** The minimum number of failed requests, so that a page without requests does not pass. */
  readonly requests: number;
  readonly path: (of: Awaited<ReturnType<typeof newBusiness>>) => string;
  /** The text that the page shows in the end. */
  readonly shows: string;
  /** Actions on the page that need more requests. */
  readonly acts?: ReadonlyArray<(page: Page) => Promise<unknown>>;
};

const press = (name: string) => (on: Page) =>
  on.getByRole('main').getByRole('button', { name, exact: true }).click();
const enter = (values: Readonly<Record<string, string>>) => (on: Page) => fill(on, values);

const visits: Readonly<Record<string, Visit>> = {
  Home: { path: () => '', shows: 'Leads today', requests: 5 },
  Inbox: { path: () => '/inbox', shows: 'Charles Babbage', requests: 3, acts: [press('Filters')] },
  'a conversation': {
    path: ({ conversation }) => `/conversations/${conversation}`,
    shows: 'What is the price?',
    requests: 14,
    acts: [
      press('Why this answer?'),
      (on) => on.keyboard.press('Escape'),
      press('Saved replies'),
      (on) => on.keyboard.press('Escape'),
      press('Take over'),
      // In one step, because a click outside the menu closes it.
      async (on) => {
        await press('Assign')(on);
        await press('Ada Lovelace (you)')(on);
      },
      enter({ Note: 'Prefers mornings' }),
      press('Add note'),
      enter({ Reply: 'Ten pounds' }),
      press('Send'),
      press('Hand back'),
      press('Close'),
    ],
  },
  'the board': { path: () => '/leads', shows: 'Charles Babbage', requests: 7 },
  'the list of leads': {
    path: () => '/leads?view=list',
    shows: 'Charles Babbage',
    requests: 6,
    acts: [press('Filters'), press('Export')],
  },
  'a lead': {
    path: ({ lead }) => `/leads/${lead}`,
    shows: 'What happened',
    requests: 6,
    acts: [
      enter({ Notes: 'Wants ten' }),
      press('Save'),
      enter({ 'What happened': 'Called back' }),
      press('Add activity'),
      enter({ 'New tag': 'vip' }),
      press('Add'),
      press('Remove the tag vip'),
    ],
  },
  Campaigns: { path: () => '/campaigns', shows: 'Spring sale', requests: 1 },
  'a campaign': {
    path: ({ campaign }) => `/campaigns/${campaign}`,
    shows: 'Bakery',
    requests: 4,
    acts: [enter({ 'Try a message': 'price' })],
  },
  'the editor of campaigns': {
    path: () => '/campaigns/new',
    shows: 'Bakery',
    requests: 4,
    acts: [
      enter({ Name: 'Summer sale', Keyword: 'summer' }),
      (on) => on.getByRole('checkbox', { name: 'Bakery' }).check(),
      press('Create campaign'),
    ],
  },
  Accounts: {
    path: () => '/social/accounts',
    shows: 'Bakery',
    requests: 4,
    acts: [(on) => on.getByText('Access details of Bakery').click()],
  },
  'the calendar': {
    path: () => '/content',
    shows: 'Old bread',
    requests: 4,
    acts: [(on) => on.getByRole('link', { name: /^Old bread/ }).press('Alt+ArrowRight')],
  },
  'the composer': {
    path: () => '/content/new',
    shows: 'Bakery',
    requests: 8,
    acts: [
      enter({ Text: 'Fresh bread' }),
      press('Posting slots'),
      press('Add slot'),
      press('Save'),
      press('Next free slot'),
      press('Choose from library'),
      (on) => on.keyboard.press('Escape'),
      press('Save as draft'),
    ],
  },
  'a group of posts': {
    path: ({ group }) => `/content/groups/${group}`,
    shows: 'Old bread',
    requests: 2,
  },
  'a post': { path: ({ post }) => `/content/posts/${post}`, shows: '/ 63,206', requests: 3 },
  'the library': {
    path: () => '/content/media',
    shows: 'engine.jpg',
    requests: 5,
    acts: [
      press('Describe engine.jpg'),
      enter({ 'Alternative text': 'A red engine' }),
      press('Save'),
      press('Delete engine.jpg'),
      press('Delete medium'),
    ],
  },
  Agents: { path: () => '/agents', shows: 'Baker', requests: 3 },
  'the editor of agents': {
    path: () => '/agents/new',
    shows: 'Create agent',
    requests: 5,
    acts: [enter({ Name: 'Night shift' }), press('Create agent')],
  },
  'an agent': { path: ({ agent }) => `/agents/${agent}`, shows: 'Save', requests: 4 },
  'the editor of templates': {
    path: ({ template }) => `/agents/templates/${template}`,
    shows: 'Test conversation',
    requests: 2,
  },
  'A/B tests': { path: () => '/agents/tests', shows: 'A/B test', requests: 2 },
  templates: { path: () => '/agents/templates', shows: 'Sales', requests: 2 },
  knowledge: {
    path: () => '/agents/knowledge',
    shows: 'Opening hours',
    requests: 5,
    acts: [
      press('Add knowledge'),
      enter({ Name: 'Prices', Text: 'A loaf costs four pounds.' }),
      press('Add'),
      press('Change Prices'),
      enter({ Name: 'Price list' }),
      press('Save'),
      press('Delete Price list'),
      press('Delete source'),
    ],
  },
  gaps: { path: () => '/agents/gaps', shows: 'Agents', requests: 2 },
  Reports: { path: () => '/reports', shows: 'Pipeline', requests: 9 },
  Billing: {
    path: () => '/billing',
    shows: 'Balance',
    requests: 20,
    acts: [
      press('Buy credits'),
      enter({ 'Below this many credits': '500' }),
      press('Save'),
      press('Choose Starter'),
      press('Subscribe'),
      press('Choose Growth'),
      press('Change plan'),
      press('Cancel plan'),
      press('Cancel at the end of the period'),
      press('Keep plan'),
      press('Add card'),
      (on) => on.getByLabel('Test card').selectOption({ label: 'Mastercard' }),
      press('Add card'),
      press('Make default Visa ending in 4242'),
      press('Remove Mastercard ending in 4444'),
      press('Remove'),
      enter({ 'First day': '2026-01-01', 'Last day': '2026-01-31' }),
      press('Create report'),
      (on) => on.getByRole('link', { name: 'Download report' }).waitFor(),
    ],
  },
  Organization: {
    path: () => '/settings/organization',
    shows: 'Time zone',
    requests: 2,
    acts: [press('Save')],
  },
  Members: {
    path: () => '/settings/members',
    shows: 'Open invitations',
    requests: 4,
    acts: [enter({ Email: 'katherine@example.com' }), press('Send invitation')],
  },
  'API keys': {
    path: () => '/settings/api-keys',
    shows: 'No API keys yet',
    requests: 2,
    acts: [press('Create key'), enter({ Name: 'Nightly' }), press('Create key')],
  },
  Webhooks: { path: () => '/settings/webhooks', shows: 'member.joined', requests: 2 },
  Notifications: {
    path: () => '/settings/notifications',
    shows: 'Email me when',
    requests: 2,
    acts: [press('Save')],
  },
  Security: {
    path: () => '/settings/security',
    shows: 'This device',
    requests: 3,
    acts: [press('Send verification email'), press('Set up two-factor')],
  },
  'an invitation': {
    path: ({ invitation }) => `/invitations/accept${invitation}`,
    shows: 'You are signed in as',
    requests: 2,
  },
};

/**
 * Makes the first request of each kind fail in documents that a page opens later. Live updates
 * always fail, because their refresh would hide that a page does not try again. This runs in the
 * page: passing each request to the test and back takes longer than the page itself.
 */
function failEachOnce() {
  const failed = new Set<string>();
  const recovered = new Set<string>();
  const unanswered = new Set<{ readonly name: string }>();
  const send = window.fetch.bind(window);
  /** Returns the same name for requests that differ only in their time. */
  const nameOf = ({ pathname, search }: URL, method: string) =>
    `${method} ${pathname}${search.replace(/20\d\d-[\w%.-]+/g, '<time>')}`;
  window.fetch = async (input, init) => {
    const url = new URL(String(input), location.href);
    if (url.origin !== location.origin) {
      return send(input, init);
    }
    const name = nameOf(url, init?.method ?? 'GET');
    if (name.endsWith('/live-tickets') || !failed.has(name)) {
      failed.add(name);

      return Response.json({}, { status: 500 });
    }
    recovered.add(name);
    const request = { name };
    unanswered.add(request);
    try {
      const response = await send(input, init);
      const body = await response.arrayBuffer();

      return new Response(body.byteLength > 0 ? body : null, response);
    } finally {
      unanswered.delete(request);
    }
  };

  /** Waits for effects, which send requests and run after the next frame. */
  const settle = () =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));
  const retryButtons = () =>
    [...document.querySelectorAll<HTMLElement>('[role="alert"] button')].filter(
      (button) => button.textContent === 'Try again' && button.checkVisibility(),
    );
  /** People cannot click what is behind an open dialog. */
  const isReachable = (button: HTMLElement) =>
    document.querySelector('dialog:modal')?.contains(button) ?? true;
  const state = () => ({
    alerts: retryButtons().length,
    loading: document.querySelectorAll('.loading').length,
    // Requests that were not retried, or are not answered yet.
    left: [
      ...[...failed].filter((name) => !recovered.has(name) && !name.endsWith('/live-tickets')),
      ...[...unanswered].map(({ name }) => name),
    ],
  });
  const isCalm = ({ alerts, loading, left }: ReturnType<typeof state>) =>
    alerts + loading + left.length === 0;
  /** Clicks `Try again` until nothing has failed, and nothing more is requested. */
  const tryAgain = async () => {
    await settle();
    for (let round = 0; round < 100; round += 1) {
      const before = state();
      retryButtons().find(isReachable)?.click();
      await settle();
      if (isCalm(before) && isCalm(state())) {
        break;
      }
    }

    return state();
  };
  Object.assign(window, { tryAgain, failedRequests: () => [...failed] });
}

async function tryAgain(): Promise<void> {
  await expect.poll(() => page.evaluate('tryAgain()')).toEqual({ alerts: 0, loading: 0, left: [] });
}

const all = Object.entries(visits);
/** The same few components show and repeat all failures, so the default run visits a third. */
const visited = [all.filter(([, { acts }]) => acts), all.filter(([, { acts }]) => !acts)].flatMap(
  (some) => some.filter((_, index) => runsAll || index % 3 === 0),
);

test.each(visited)('%s: each failed request shows a message, and is retried', async (_, visit) => {
  await page.goto(appUrl(visit.path(business)));
  await page.getByRole('alert').getByText('Something went wrong on our side').first().waitFor();
  await tryAgain();
  await page.getByText(visit.shows).first().waitFor();
  for (const act of visit.acts ?? []) {
    await act(page);
    await tryAgain();
  }
  const failed = await page.evaluate<readonly string[]>('failedRequests()');

  expect(failed.length, failed.join('\n')).toBeGreaterThanOrEqual(visit.requests);
});

test('signing out shows a failure, and is retried', async () => {
  await page.goto(appUrl('/settings/members'));
  await tryAgain();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await tryAgain();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await signIn(page, business.email);
  await tryAgain();
  await heading(page, 'Settings').waitFor();
});

test('a page whose code fails to load shows a message, and is loaded again', async () => {
  const { page: tab } = await openTab(page.context());
  await tab.route('**/assets/leads-*', (route) => route.abort());
  await tab.getByRole('link', { name: 'Leads', exact: true }).first().click();
  await tab.getByRole('alert').getByText('This page couldn’t be loaded').waitFor();
  await tab.unroute('**/assets/leads-*');
  await tab.getByRole('button', { name: 'Try again' }).click();
  await heading(tab, 'Leads').waitFor();
});
