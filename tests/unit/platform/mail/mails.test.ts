import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as mails from '#lib/platform/mail/mails.ts';
import { projectPath } from '#scripts/project.ts';

const { emailVerificationMail, invitationMail, passwordResetMail } = mails;

const appUrl = String(process.env.APP_URL);

function invitation(overrides: Partial<Parameters<typeof invitationMail>[0]> = {}) {
  return invitationMail({
    to: 'grace@example.com',
    organizationName: 'Analytical Engines',
    inviterName: 'Ada Lovelace',
    isInviterVerified: false,
    message: 'Come and reckon with us',
    token: 'q1-w2_e3',
    ...overrides,
  });
}

describe('invitationMail', () => {
  test('has the inviter, the organization, and the link in text and HTML', () => {
    const { to, subject, text, html } = invitation();

    expect(to).toBe('grace@example.com');
    expect(subject).toBe('Ada Lovelace invited you to join Analytical Engines');
    expect(text.split('\n\n')).toEqual([
      'Ada Lovelace invited you to join Analytical Engines on Social Leads.',
      'Come and reckon with us',
      `Accept the invitation: ${appUrl}/invitations/accept?token=q1-w2_e3`,
      "This link expires in seven days and works once. If you weren't expecting this invitation, you can ignore this email.",
    ]);
    expect(html).toContain(`<a href="${appUrl}/invitations/accept?token=q1-w2_e3">`);
    expect(html).toContain('Come and reckon with us');
  });

  test('has no empty paragraph without a message', () => {
    expect(invitation({ message: undefined }).text.split('\n\n')).toHaveLength(3);
    expect(invitation({ message: undefined }).html).not.toContain('undefined');
  });
});

const verification = {
  to: 'grace@example.com',
  name: 'Ada Lovelace',
  cause: 'signup',
  at: '2026-11-27T23:30:00.000Z',
  clientIp: '203.0.113.7',
  token: 'q1-w2_e3',
} as const;

test.each([
  ['email/verify', emailVerificationMail(verification)],
  ['password/reset', passwordResetMail('grace@example.com', 'q1-w2_e3')],
] as const)('the mail for %s links to the page with its token', (path, mail) => {
  const { to, text, html } = mail;

  expect(to).toBe('grace@example.com');
  expect(text).toContain(`${appUrl}/${path}?token=q1-w2_e3`);
  expect(html).toContain(`<a href="${appUrl}/${path}?token=q1-w2_e3">`);
});

describe('mails with hostile names and messages', () => {
  const sly = fc
    .array(
      fc.oneof(
        fc.constantFrom('<', '>', '"', "'", '&', '&lt;', '\r\n', '\n', '\u0085', '\u2028', '\t'),
        fc.constantFrom('<script>', '</p>', '<a href="', 'Bcc: x@example.com', '$&', '$1'),
        fc.string({ unit: 'grapheme' }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''));

  test('keeps the subject on one line', async () => {
    await fc.assert(
      fc.property(sly, sly, (inviterName, organizationName) => {
        const { subject } = invitation({ inviterName, organizationName });
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 500 },
    );
  });

  test('contains only the tags and links of the template', async () => {
    const shape = (html: string) => (html.match(/<[^>]*>/g) ?? []).join('');
    const expected = shape(invitation({ message: 'plain' }).html);

    await fc.assert(
      fc.property(sly, sly, sly, (inviterName, organizationName, message) => {
        const { html } = invitation({ inviterName, organizationName, message: `.${message}` });
        expect(shape(html)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

const to = 'grace@example.com';
const at = '2026-11-27T12:00:00.000Z';
const timezone = 'UTC';
const platformName = 'Facebook';

/** Composes each mail with this text wherever a user, a customer or a network chooses it. */
const composers: Readonly<Record<keyof typeof mails, (text: string) => mails.Mail>> = {
  invitationMail: (text) =>
    invitation({ inviterName: text, organizationName: text, message: text }),
  connectLinkMail: (organizationName) =>
    mails.connectLinkMail({ to, organizationName, platformName, url: appUrl, expiresInHours: 1 }),
  emailVerificationMail: (name) => emailVerificationMail({ ...verification, name }),
  emailChangedMail: () => mails.emailChangedMail({ to, newEmail: to, token: 'token' }),
  twoFactorEnabledMail: () => mails.twoFactorEnabledMail(to),
  twoFactorDisabledMail: () => mails.twoFactorDisabledMail(to),
  recoveryCodeUsedMail: () => mails.recoveryCodeUsedMail(to),
  googleLinkedMail: () => mails.googleLinkedMail(to),
  passwordResetMail: () => passwordResetMail(to, 'token'),
  creditsLowMail: (organizationName) => mails.creditsLowMail({ to, organizationName, credits: 2 }),
  creditsExhaustedMail: (organizationName) =>
    mails.creditsExhaustedMail({ to, organizationName, credits: 0 }),
  refillRefusedMail: (organizationName) =>
    mails.refillRefusedMail({
      to,
      organizationName,
      timezone,
      reason: 'Your card was declined.',
      pausedUntil: at,
    }),
  refillCapMail: (organizationName) =>
    mails.refillCapMail({ to, organizationName, cap: 5, month: '2026-11' }),
  subscriptionUnpaidMail: (organizationName) =>
    mails.subscriptionUnpaidMail({ to, organizationName, planName: 'Growth', isTriedAgain: true }),
  refundMail: (organizationName) => mails.refundMail({ to, organizationName, dollars: 5 }),
  disputeOpenedMail: (organizationName) =>
    mails.disputeOpenedMail({ to, organizationName, dollars: 5 }),
  disputeClosedMail: (organizationName) =>
    mails.disputeClosedMail({ to, organizationName, isWon: false }),
  accountInactiveMail: (accountName) =>
    mails.accountInactiveMail({
      to,
      platformName,
      accountName,
      reason: 'It expired.',
      lost: 'all',
    }),
  webhookDisabledMail: () =>
    mails.webhookDisabledMail({ to, url: appUrl, reason: 'It failed for three days' }),
  repliesLimitedMail: (accountName) => mails.repliesLimitedMail({ to, platformName, accountName }),
  // The author of the post wrote this text.
  postFailedMail: () =>
    mails.postFailedMail({
      to,
      platformName,
      content: 'New engines',
      reason: 'It is too long.',
      isOutcomeUnknown: false,
    }),
  handedOverMail: (text) =>
    mails.handedOverMail({
      to,
      platformName,
      timezone,
      conversationId: 'id',
      customerName: text,
      reason: 'HANDOFF',
      waitingSince: at,
      lastText: text,
    }),
  unansweredMail: (text) =>
    mails.unansweredMail({
      to,
      timezone,
      more: 1,
      conversations: [
        { id: 'id', customerName: text, platformName, waitingSince: at, lastText: text },
      ],
    }),
  assignedMail: (text) =>
    mails.assignedMail({ to, what: 'lead', id: 'id', assignerName: text, customerName: text }),
};

describe('every mail', () => {
  const hostile = 'Eve https://evil.example/x \u202Egro evil.example \u200Bv@evil.example';

  test.each(Object.keys(mails))('shows no address that somebody chose: %s', (name) => {
    const { subject, text, html } = composers[name as keyof typeof mails](hostile);

    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/evil\.example|[\u202E\u200B]/);
    }
  });

  test('links to a page of the front end that docs/front-end.md describes', () => {
    const ofRedirects = '/social/connect';
    const linked = Object.values(composers).flatMap((compose) =>
      [...compose('Eve').text.matchAll(/\S+/g)]
        .filter(([word]) => word.startsWith(`${appUrl}/`))
        .map(([word]) => new URL(word).pathname.slice('/app'.length).replace(/\/id$/, '/{id}')),
    );
    const document = readFileSync(projectPath('docs/front-end.md'), 'utf8');
    const described = [...document.matchAll(/^\| `(\/[^`]+)`/gm)].map(([, path]) => path);

    expect(described.toSorted()).toEqual([...new Set([...linked, ofRedirects])].toSorted());
    expect(described).toHaveLength(12);
  });

  test('shows the links of an inviter whose address is verified, and no hidden characters', () => {
    const message = 'See https://example.com/us\u202E';
    const { text, html } = invitation({ isInviterVerified: true, message });

    expect(text).toContain('\n\nSee https://example.com/us\n\n');
    expect(html).toContain('>See https://example.com/us</p>');
  });
});
