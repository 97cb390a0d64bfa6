import { describe, expect, it } from 'vitest';
import { createConnectLink } from '#schemas/connect-links.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { newLink, openConnectLink } from './setup.ts';

const owner = await newAccount();

const hourMs = 3_600_000;

function create(token: string, body: object) {
  return call(createConnectLink, { token, body: { platform: 'FACEBOOK', ...body } });
}

describe('a new connect link', () => {
  it('has a URL that is returned once, and is stored as a hash', async () => {
    const link = await newLink(owner);
    expect(link).toMatchObject({ platform: 'FACEBOOK', usedAt: null });
    expect(link.url).toMatch(/^http:\/\/localhost:3000\/connect\/[\w-]{43}$/);
    expect(JSON.stringify(await storedItems())).not.toContain(link.linkToken);
    expect((await openConnectLink(link.linkToken)).status).toBe(200);
  });

  it.each([
    [undefined, 72],
    [null, 72],
    [1, 1],
    [168, 168],
  ])('with expiresInHours %s expires after %i hours', async (expiresInHours, hours) => {
    const { createdAt, expiresAt } = await newLink(owner, { expiresInHours });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(hours * hourMs);
  });

  it.each([0, 169, 1.5, '72'])('rejects expiresInHours %s', async (expiresInHours) => {
    const { status, body } = await create(owner.token, { expiresInHours });
    expect([status, body.message[0]]).toEqual([400, expect.stringMatching(/^expiresInHours /)]);
  });

  it('is mailed as text and HTML, without addresses in the subject', async () => {
    const account = await newAccount({ organizationName: 'Visit https://evil.example <b>now</b>' });
    const email = freshEmail('shop');
    const { url } = await newLink(account, { email, platform: 'TWITTER', expiresInHours: 24 });
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Visit <b>now</b> asks you to connect X');
    expect(mail?.text).toContain(`Connect X: ${url}`);
    expect(mail?.text).toContain('This link expires in 24 hours and works once.');
    expect(mail?.html).toContain(`<a href="${url}">Connect X</a>`);
    expect(mail?.html).not.toContain('<b>');
  });

  it('is mailed at most three times a day to one address, together with invitations', async () => {
    const email = freshEmail('shop');
    for (let sent = 0; sent < 3; sent += 1) {
      await newLink(await newAccount(), { email });
    }
    const { status, headers } = await create((await newAccount()).token, { email });
    expect(status).toBe(429);
    expect(headers['ratelimit-policy']).toContain('"invitationAddress";q=3;w=86400');
    expect((await mailsTo(email)).length).toBe(3);
    expect((await create(owner.token, {})).status).toBe(201);
  });

  it('counts against a quota, which is exact under concurrency', async () => {
    const { QUOTA_CONNECT_LINKS } = process.env;
    process.env.QUOTA_CONNECT_LINKS = '2';
    const account = await newAccount();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => create(account.token, { platform: 'TIKTOK' })),
    );
    process.env.QUOTA_CONNECT_LINKS = QUOTA_CONNECT_LINKS ?? '';
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { name: 'connectLinks', limit: 2 },
    });
  });

  it('is written to the audit log, without its token', async () => {
    const account = await newAccount();
    const link = await newLink(account);
    const params = { organization_id: account.organizationId };
    const { entries } = (await call(listAuditLog, { token: account.token, params })).body;
    expect(entries[0]).toMatchObject({
      action: 'connect_link.created',
      actorId: account.userId,
      targetType: 'connect_link',
      targetId: link.id,
      details: { platform: 'FACEBOOK' },
    });
  });
});
