import { clip, oneLine } from '#lib/platform/characters.ts';
import { config } from '#lib/platform/config.ts';
import { escapeHtml } from '#lib/platform/html/escape-html.ts';

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: string;
  readonly action: string;
  readonly closing: string;
};

function compose({ to, subject, paragraphs, link, action, closing }: Letter): Mail {
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`;

  return {
    to,
    subject: oneLine(subject),
    text: [...paragraphs, `${action}: ${link}`, closing].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;color:#1a1a1a">',
      ...paragraphs.map((content) => paragraph(escapeHtml(content))),
      paragraph(`<a href="${escapeHtml(link)}">${escapeHtml(action)}</a>`),
      paragraph(escapeHtml(closing)),
      '</body></html>',
    ].join(''),
  };
}

function linkTo(path: string, token: string): string {
  return `${config.appUrl}/${path}?token=${token}`;
}

type Invitation = {
  readonly to: string;
  readonly organizationName: string;
  readonly inviterName: string;
  readonly message: string | undefined;
  readonly token: string;
};

export function invitationMail(invitation: Invitation): Mail {
  const { to, organizationName, inviterName, message, token } = invitation;

  return compose({
    to,
    subject: `${inviterName} invites you to ${organizationName}`,
    paragraphs: [
      `${inviterName} invites you to join ${organizationName} on Social Leads.`,
      ...(message ? [message] : []),
    ],
    link: linkTo('invitations/accept', token),
    action: 'Accept the invitation',
    closing: 'The link works once, for seven days. If you did not expect it, ignore this mail.',
  });
}

export function emailVerificationMail(to: string, token: string): Mail {
  return compose({
    to,
    subject: 'Confirm your address',
    paragraphs: ['Please confirm that this address is yours.'],
    link: linkTo('email/verify', token),
    action: 'Confirm the address',
    closing: 'The link works once, for a day. If you did not ask for it, ignore this mail.',
  });
}

/** Sent to the former address, so that its owner notices an unauthorized change. */
export function emailChangedMail(to: string, email: string): Mail {
  return compose({
    to,
    subject: 'The address of your account was changed',
    paragraphs: [
      `Your account has the address ${email} now. Mails go there, and it is what you sign in with.`,
      'If that was not you, somebody else has your account: please tell us at once.',
    ],
    link: config.appUrl,
    action: 'Open Social Leads',
    closing: 'You get this mail because this was the address of your account.',
  });
}

export function passwordResetMail(to: string, token: string): Mail {
  return compose({
    to,
    subject: 'Set a new password',
    paragraphs: ['Somebody, hopefully you, asked to set a new password for your account.'],
    link: linkTo('password/reset', token),
    action: 'Set a new password',
    closing: 'The link works once, for an hour. If you did not ask for it, ignore this mail.',
  });
}

type RefillRefusal = {
  readonly to: string;
  readonly organizationName: string;
  /** The payment provider's message. */
  readonly reason: string;
  /** Absent if auto-refill was switched off. */
  readonly pausedUntil: string | undefined;
};

export function refillRefusedMail(refusal: RefillRefusal): Mail {
  const { to, organizationName, reason, pausedUntil } = refusal;
  const next = pausedUntil
    ? `The next try is after ${pausedUntil.slice(0, 16).replace('T', ' ')} UTC, or when another payment method is added or chosen.`
    : 'It was the third time in a row, so automatic refills have been switched off.';

  return compose({
    to,
    subject: `Credits of ${organizationName} could not be refilled`,
    paragraphs: [
      `The automatic refill of credits of ${organizationName} was refused: ${reason}`,
      next,
    ],
    link: `${config.appUrl}/billing`,
    action: 'Check the payment method',
    closing: 'While there are no credits left, no automatic replies are sent.',
  });
}

type RefillCap = {
  readonly to: string;
  readonly organizationName: string;
  /** In US dollars. */
  readonly cap: number;
  readonly month: string;
};

export function refillCapMail({ to, organizationName, cap, month }: RefillCap): Mail {
  return compose({
    to,
    subject: `Credits of ${organizationName} are not refilled any more this month`,
    paragraphs: [
      `Credits of ${organizationName} are low, and another automatic refill would exceed the monthly cap of ${cap} USD.`,
      `There is none until ${month} (UTC) is over, or the cap is raised.`,
    ],
    link: `${config.appUrl}/billing`,
    action: 'Buy credits or raise the cap',
    closing: 'While there are no credits left, no automatic replies are sent.',
  });
}

type UnpaidSubscription = {
  readonly to: string;
  readonly organizationName: string;
  readonly planName: string;
  readonly isTriedAgain: boolean;
};

export function subscriptionUnpaidMail(unpaid: UnpaidSubscription): Mail {
  const { to, organizationName, planName, isTriedAgain } = unpaid;

  return compose({
    to,
    subject: `The subscription of ${organizationName} could not be paid`,
    paragraphs: [
      `The payment of the plan ${planName} of ${organizationName} has failed.`,
      isTriedAgain
        ? 'It will be tried again in the next days.'
        : 'It has failed for the last time, and is not tried again until a payment method is added or chosen.',
    ],
    link: `${config.appUrl}/billing`,
    action: 'Check the payment method',
    closing: 'The monthly credits come when it is paid.',
  });
}

type InactiveAccount = {
  readonly to: string;
  readonly platformName: string;
  readonly accountName: string;
  readonly reason: string;
};

export function accountInactiveMail({
  to,
  platformName,
  accountName,
  reason,
}: InactiveAccount): Mail {
  return compose({
    to,
    subject: `${accountName} on ${platformName} has to be connected again`,
    paragraphs: [
      `Social Leads can no longer act for ${accountName} on ${platformName}.`,
      reason,
      'Until then nothing is published there, and nobody is answered.',
    ],
    link: `${config.appUrl}/social/accounts`,
    action: 'Connect the account',
    closing: 'You get this mail because you own the organization.',
  });
}

type UnpublishedPost = {
  readonly to: string;
  readonly platformName: string;
  readonly content: string;
  readonly reason: string;
  /** True if the post may have been published. */
  readonly isOutcomeUnknown: boolean;
};

const shownCharacters = 200;

export function postFailedMail(post: UnpublishedPost): Mail {
  const { to, platformName, content, reason, isOutcomeUnknown } = post;
  const shown = clip(content, shownCharacters);

  return compose({
    to,
    subject: isOutcomeUnknown
      ? `Please check a post on ${platformName}`
      : `A post on ${platformName} was not published`,
    paragraphs: [
      isOutcomeUnknown
        ? `${platformName} took this post and never said what became of it. It may be there, and is not sent again by itself:`
        : `This post could not be published on ${platformName}:`,
      shown,
      `Reason: ${reason}`,
    ],
    link: `${config.appUrl}/content`,
    action: 'See the post',
    closing: 'Give the post a new time to have it published again.',
  });
}
