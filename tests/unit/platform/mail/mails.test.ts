import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emailVerificationMail,
  invitationMail,
  passwordResetMail,
} from '#lib/platform/mail/mails.ts';

const appUrl = String(process.env.APP_URL);

function invitation(overrides: Partial<Parameters<typeof invitationMail>[0]> = {}) {
  return invitationMail({
    to: 'grace@example.com',
    organizationName: 'Analytical Engines',
    inviterName: 'Ada Lovelace',
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

test.each([
  ['email/verify', emailVerificationMail],
  ['password/reset', passwordResetMail],
] as const)('the mail for %s links to the page with its token', (path, mailFor) => {
  const { to, text, html } = mailFor('grace@example.com', 'q1-w2_e3');

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
