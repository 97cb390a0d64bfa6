import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { freshEmail, password } from '#tests/support/accounts.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { useStack } from '#tests/support/stack.ts';
import {
  appUrl,
  close,
  connectPage,
  expectAccessible,
  fill,
  heading,
  linkMailedTo,
  newCampaign,
  newColleague,
  newOwner,
  openApp,
  openSignedIn,
  openTab,
  signIn,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();

describe('settings', () => {
  test('change the organization, which all tabs show', async () => {
    const owner = await newOwner();
    const { page, problems } = await openSignedIn(browser, owner, '/settings/organization');
    await heading(page, 'Settings').waitFor();
    const { page: otherTab } = await openTab(page.context(), '/settings/security');
    await heading(otherTab, 'Settings').waitFor();
    await fill(page, { Name: 'Difference Engines', Website: 'engines' });
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.message').waitFor();
    expect(await page.getByLabel('Website').getAttribute('aria-invalid')).toBe('true');
    await fill(page, { Website: 'https://engines.example' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor();
    await page.locator('.organization').getByText('Difference Engines').waitFor();
    await otherTab.locator('.organization').getByText('Difference Engines').waitFor();
    await fill(page, { 'AI disclosure': 'Written by an AI.', 'Keep messages for days': '60' });
    await page.getByLabel('Members can invite').check();
    await page.getByRole('button', { name: 'Save privacy settings' }).click();
    await page.locator('form').nth(1).getByText('Saved').waitFor();

    const { organization } = await owner.client.organizations.get({
      organizationId: owner.organization.id,
    });
    expect(organization).toMatchObject({
      website: 'https://engines.example',
      timezone: 'Europe/Berlin',
      settings: { aiDisclosure: 'Written by an AI.', retentionDays: 60, allowMemberInvites: true },
    });
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
    await close(page);
  });

  test('invite a colleague who joins on another browser, and change the role', async () => {
    const owner = await newOwner();
    const email = freshEmail('grace');
    const { page } = await openSignedIn(browser, owner, '/settings/members');
    await heading(page, 'Settings').waitFor();
    await fill(page, { Email: email });
    await page.getByRole('combobox', { name: 'Role' }).selectOption('MEMBER');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Invitation sent').waitFor();
    await page.getByText('Expires').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');

    const { page: colleague } = await openApp(browser, '/sign-in');
    await colleague.goto(await linkMailedTo(email, '/invitations/accept'));
    await fill(colleague, { 'First name': 'Grace', 'Last name': 'Hopper', Password: password });
    await colleague.getByRole('button', { name: 'Join' }).click();
    await heading(colleague, 'Home').waitFor();

    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Make admin' }).click();
    await page.getByRole('listitem').filter({ hasText: email }).getByText('Admin').waitFor();
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText(email).waitFor({ state: 'detached' });
    await close(page);
    await close(colleague);
  });

  test('create a key that is shown once and works, and revoke it', async () => {
    const owner = await newOwner();
    const { page } = await openSignedIn(browser, owner, '/settings/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await fill(page, { Name: 'Nightly key' });
    await page.getByLabel('Role').selectOption('ADMIN');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('Key').inputValue();
    const client = new SocialLeads({ baseUrl: useStack().api, token: key });
    const { total } = await client.organizations.listMembers({
      organizationId: owner.organization.id,
    });
    expect(total).toBe(1);
    await page.reload();
    await page.getByText('Nightly key').first().waitFor();
    expect(await page.getByLabel('Key').count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke Nightly key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys yet').waitFor();
    await close(page);
  });

  test('send a webhook delivery again', async () => {
    const owner = await newOwner();
    const receiver = randomUUID();
    const { page } = await openSignedIn(browser, owner, '/settings/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await fill(page, { URL: `${useStack().sandbox}/_sandbox/hooks/${receiver}` });
    await page.getByLabel('All events').uncheck();
    await page.getByLabel('lead.created').check();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions for' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect
      .poll(async () => {
        const requests = await sandboxClient(useStack().sandbox).requests({ service: 'hooks' });

        return requests.filter(({ path }) => path.endsWith(receiver)).length;
      })
      .toBe(2);
    await page.getByText('Delivered', { exact: true }).waitFor();
    await close(page);
  });

  test('keep notification settings, and end a session', async () => {
    const owner = await newOwner();
    const { email } = owner;
    const { authToken } = await owner.client.auth.logIn({ email, password });
    const { page } = await openSignedIn(browser, { token: authToken }, '/settings/notifications');
    await page.getByLabel('Credits run low').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Credits run low').isChecked()).toBe(false);
    expect(await page.getByLabel('A post could not be published').isChecked()).toBe(true);
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' });
    await expect(owner.client.auth.getMe()).rejects.toMatchObject({ status: 401 });
    await close(page);
  });

  test('turn two-factor authentication on and off, and delete the account', async () => {
    const owner = await newOwner();
    const { page } = await openSignedIn(browser, owner, '/settings/security');
    await page.getByRole('button', { name: 'Set up two-factor' }).click();
    const secret = Secret.fromBase32((await page.locator('.two-factor code').textContent()) ?? '');
    const codeAfter = (seconds: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1_000 });
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await fill(page, { Code: codeAfter(0) });
    await page.getByRole('button', { name: 'Turn on two-factor' }).click();
    const recoveryCode = (await page.locator('.codes code').first().textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await fill(page, { Password: password, Code: recoveryCode });
    await page.getByRole('button', { name: 'Turn off two-factor' }).click();
    await page.getByRole('button', { name: 'Set up two-factor' }).waitFor();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await fill(page, { Password: 'wrong password' });
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await fill(page, { Password: password });
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await signIn(page, owner.email);
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    await close(page);
  });

  test('delete the account of a person who signs in with Google', async () => {
    const email = freshEmail('grace');
    const { page } = await openApp(browser, '/settings/security');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await fill(page, { Email: email });
    await page.getByRole('button', { name: 'Continue' }).click();
    await fill(page, { 'Organization name': 'Compilers' });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Your Google account protects your sign-in').waitFor();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await fill(page, { Email: email });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await close(page);
  });

  test('show a viewer only what it may see, and send no forbidden request', async () => {
    const owner = await newOwner();
    const { page, problems } = await openSignedIn(
      browser,
      await newColleague(owner, 'VIEWER'),
      '/settings/members',
    );
    await page.getByText(owner.email).waitFor();
    expect(await page.getByRole('button', { name: 'Send invitation' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await page.goto(appUrl('/settings/webhooks'));
    await page.getByText('Only owners and admins can manage webhooks.').waitFor();
    await page.goto(appUrl());
    await page.getByRole('heading', { name: 'Write a campaign' }).waitFor();
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0);
    await page.goto(appUrl('/settings/organization'));
    await page.getByText('Only owners and admins can change the organization.').waitFor();
    await page.getByRole('button', { name: 'Leave organization' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await heading(page, 'You are in no organization').waitFor();

    expect(problems).toEqual([]);
    await close(page);
  });
});

describe('home', () => {
  test('leads from an empty organization to the first lead', async () => {
    const owner = await newOwner();
    const organizationId = owner.organization.id;
    const { page, problems } = await openSignedIn(browser, owner, '/', { width: 390, height: 844 });
    await page.getByLabel('What should the agent know?').fill('An engine costs 100 pounds.');
    await page.reload();
    const knowledge = page.getByLabel('What should the agent know?');
    await expect.poll(() => knowledge.inputValue()).toContain('100');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Home').waitFor();
    await page.getByRole('heading', { name: 'Add what the agent should know (done)' }).waitFor();
    const { aiAgents } = await owner.client.ai.listAgents({ organizationId });
    expect(aiAgents[0]?.knowledgeSourceIds).toHaveLength(1);

    const { platformUserId, id: socialAccountId } = await connectPage(owner);
    await page.getByRole('heading', { name: 'Connect an account (done)' }).waitFor();
    await newCampaign(owner, socialAccountId);
    // Another tab or colleague created it, and there is no event for a new campaign.
    await page.reload();
    await page.getByText('Waiting for the comment').waitFor();
    await sandboxClient(useStack().sandbox)
      .network('FACEBOOK')
      .sendEvent({
        userId: platformUserId,
        type: 'comment',
        text: 'What is the price?',
        from: { id: randomUUID(), name: 'Charles Babbage' },
      });
    await page.getByRole('heading', { name: 'Leads today' }).waitFor();
    await page.getByRole('link', { name: 'Charles Babbage' }).first().waitFor();
    await page.getByText('Nobody is waiting').waitFor();
    await page.getByText('Automatic refill').waitFor();
    expect(problems).toEqual([]);
    await expectAccessible(page);
    await close(page);
  });
});

/** Moves the focus only with the Tab key, like people who use no mouse. */
async function tabTo(page: Page, name: string, role: 'button' | 'link' | 'textbox' | 'checkbox') {
  const target = page.getByRole(role, { name, exact: true }).first();
  await target.waitFor();
  // Finding an element by its role takes much longer than a key press.
  const hasName = () =>
    page.evaluate((wanted) => {
      const element = document.activeElement as HTMLInputElement | null;
      const labels = [...(element?.labels ?? [])].map(({ textContent }) => textContent);

      return [element?.ariaLabel, element?.textContent, ...labels].some(
        (text) => text?.trim() === wanted,
      );
    }, name);
  for (let presses = 0; presses < 80 && !(await hasName()); presses += 1) {
    await page.keyboard.press('Tab');
  }
  expect(await target.evaluate((element) => element === document.activeElement), name).toBe(true);
}

test('a first day with only a keyboard: signing in, a campaign, a reply and a lead', async () => {
  const owner = await newOwner();
  const { platformUserId } = await connectPage(owner);
  // If there is only one account, the form chooses it.
  await connectPage(owner, 'Café');
  const { page, problems } = await openApp(browser);
  const { keyboard } = page;
  const enter = async (field: string, text: string) => {
    await tabTo(page, field, 'textbox');
    await keyboard.type(text);
  };
  const press = async (name: string, role: 'button' | 'link' = 'button') => {
    await tabTo(page, name, role);
    await keyboard.press('Enter');
  };
  await enter('Email', owner.email);
  await enter('Password', password);
  await keyboard.press('Enter');
  await heading(page, 'Home').waitFor();

  await press('Campaigns', 'link');
  await press('New campaign');
  await heading(page, 'New campaign').waitFor();
  await enter('Name', 'Spring sale');
  await enter('Keyword', 'price');
  await tabTo(page, 'Bakery', 'checkbox');
  await keyboard.press('Space');
  await press('Create campaign');
  await heading(page, 'Spring sale').waitFor();

  await sandboxClient(useStack().sandbox)
    .network('FACEBOOK')
    .sendEvent({
      userId: platformUserId,
      type: 'message',
      text: 'What is the price?',
      from: { id: randomUUID(), name: 'Charles Babbage' },
    });
  await press('Inbox', 'link');
  await press('Charles Babbage', 'link');
  await enter('Reply', 'Ten pounds each.');
  await press('Send');
  await page.getByRole('region', { name: 'Messages' }).getByText('Ten pounds each.').waitFor();

  await press('Leads', 'link');
  await heading(page, 'Leads').waitFor();
  await press('Actions');
  await tabTo(page, 'Move to Qualified', 'button');
  await keyboard.press('Enter');
  await page
    .getByRole('region', { name: 'Qualified', exact: true })
    .getByRole('article', { name: 'Charles Babbage' })
    .waitFor();
  expect(problems).toEqual([]);
  await close(page);
});

test('a page of the service uploads to the local storage, and other pages cannot', async () => {
  const { client, organization } = await newOwner();
  const { upload } = await client.media.createUpload({
    organizationId: organization.id,
    fileName: 'engine.png',
    contentType: 'image/png',
    bytes: 3,
  });
  const { page } = await openApp(browser, '/sign-in');
  const status = await page.evaluate(async ({ url, headers }) => {
    const answer = await fetch(url, { method: 'PUT', headers, body: 'png' });

    return answer.status;
  }, upload);
  expect(status).toBe(200);
  const preflight = await fetch(upload.url, {
    method: 'OPTIONS',
    headers: { origin: 'https://other.example', 'access-control-request-method': 'PUT' },
  });
  expect(preflight.status).toBe(403);
  await close(page);
});

test('the frame, the checklist and all tabs are accessible and fit 320 pixels', async () => {
  const owner = await newOwner();
  const organizationId = owner.organization.id;
  await owner.client.organizations.inviteMember({
    organizationId,
    email: freshEmail('grace'),
    role: 'MEMBER',
  });
  await owner.client.organizations.createApiKey({ organizationId, name: 'Sync', role: 'MEMBER' });
  const { webhook } = await owner.client.organizations.createWebhook({
    organizationId,
    url: `${useStack().sandbox}/_sandbox/hooks/${randomUUID()}`,
    events: ['lead.created', 'lead.updated'],
  });
  await owner.client.organizations.testWebhook({ organizationId, webhookId: webhook.id });
  const { page } = await openSignedIn(browser, owner, '/');
  await page.getByRole('heading', { name: 'Connect an account' }).waitFor();
  await expectAccessible(page);
  await page.goto(appUrl('/settings'));
  for (const [tab, text] of Object.entries({
    Organization: 'Time zone',
    Members: 'Open invitations',
    'API keys': 'Never used',
    Webhooks: 'webhook.test',
    Notifications: 'Email me when',
    Security: 'This device',
  })) {
    await page.getByRole('link', { name: tab }).click();
    await page.getByText(text).first().waitFor();
    await expectAccessible(page);
  }
  await close(page);
});
