import { clip, firstCharacters, oneLine } from '#lib/platform/characters.ts';
import { config } from '#lib/platform/config.ts';
import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { dayIn, timeOfDay } from '#lib/platform/time-zone.ts';
import type { HandoverReason } from '#schemas/conversation-reasons.ts';
import { mailName, visibleText, withoutAddresses } from './strangers-text.ts';

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * True if the mail must not be sent. A decoy makes its request take as long as a request with a
   * real mail.
   */
  readonly isDecoy?: boolean;
};

type Link = { readonly link: string; readonly action: string };
/** A sentence, or a sentence with a link below it. */
type Paragraph = string | (Link & { readonly sentence: string });

type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly closing: string;
} & (Link | { readonly link?: never; readonly action?: never });

function asText(paragraph: Paragraph): string {
  return typeof paragraph === 'string'
    ? visibleText(paragraph)
    : `${asText(paragraph.sentence)}\n${paragraph.action}: ${paragraph.link}`;
}

function asHtml(paragraph: Paragraph): string {
  return typeof paragraph === 'string'
    ? escapeHtml(visibleText(paragraph))
    : `${asHtml(paragraph.sentence)}<br>${anchor(paragraph)}`;
}

function anchor({ link, action }: Link): string {
  return `<a href="${escapeHtml(link)}">${escapeHtml(action)}</a>`;
}

function compose({ to, subject, paragraphs, link, action, closing }: Letter): Mail {
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`;

  return {
    to,
    subject: oneLine(visibleText(subject)),
    text: [...paragraphs.map(asText), ...(link ? [`${action}: ${link}`] : []), closing].join(
      '\n\n',
    ),
    html: [
      '<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;color:#1a1a1a">',
      ...paragraphs.map((content) => paragraph(asHtml(content))),
      ...(link ? [paragraph(anchor({ link, action }))] : []),
      paragraph(escapeHtml(closing)),
      '</body></html>',
    ].join(''),
  };
}

function organizationIn(name: string): string {
  return mailName(name, 'your organization');
}

function linkTo(path: string, token: string): string {
  return `${config.appUrl}/${path}?token=${token}`;
}

type Invitation = {
  readonly to: string;
  readonly organizationName: string;
  readonly inviterName: string;
  /** True if we can reach the inviter, so the message may contain links. */
  readonly isInviterVerified: boolean;
  readonly message: string | undefined;
  readonly token: string;
};

export function invitationMail(invitation: Invitation): Mail {
  const { to, organizationName, inviterName, isInviterVerified, message, token } = invitation;
  const sentence = `${mailName(inviterName, 'A colleague')} invited you to join ${organizationIn(organizationName)}`;
  const shown = message && (isInviterVerified ? message : withoutAddresses(message));

  return compose({
    to,
    subject: sentence,
    paragraphs: [`${sentence} on Social Leads.`, ...(shown ? [shown] : [])],
    link: linkTo('invitations/accept', token),
    action: 'Accept the invitation',
    closing:
      "This link expires in seven days and works once. If you weren't expecting this invitation, you can ignore this email.",
  });
}

type ConnectLink = {
  readonly to: string;
  readonly organizationName: string;
  readonly platformName: string;
  readonly url: string;
  readonly expiresInHours: number;
};

export function connectLinkMail(connectLink: ConnectLink): Mail {
  const { to, organizationName, platformName, url, expiresInHours } = connectLink;
  const lifetime = expiresInHours === 1 ? '1 hour' : `${expiresInHours} hours`;
  const business = mailName(organizationName, 'A business');

  return compose({
    to,
    subject: `${business} asks you to connect ${platformName}`,
    paragraphs: [
      `${business} would like to manage your ${platformName} account with Social Leads.`,
      `Open the link to see what they ask for. You then sign in at ${platformName}, so they never see your password.`,
    ],
    link: url,
    action: `Connect ${platformName}`,
    closing: `This link expires in ${lifetime} and works once. If you weren't expecting this email, you can ignore it.`,
  });
}

type Verification = {
  readonly to: string;
  /** The account's name, chosen at signup. */
  readonly name: string;
  readonly cause: 'signup' | 'change';
  /** The time and place of the signup, or of the request to use the address. */
  readonly at: string;
  readonly clientIp: string;
  readonly token: string;
};

/** The text helps the owner of an address not to confirm an account that somebody else created. */
export function emailVerificationMail(verification: Verification): Mail {
  const { to, name, cause, at, clientIp, token } = verification;
  const who = mailName(name, 'Somebody');
  const day = new Date(at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const what =
    cause === 'signup'
      ? 'signed up for Social Leads with this email address'
      : 'changed the email address of a Social Leads account to this one';

  return compose({
    to,
    subject: 'Confirm your email address',
    paragraphs: [
      `${who} ${what} on ${day} (UTC), from the IP address ${clientIp}.`,
      'If that was you, confirm your address.',
    ],
    link: linkTo('email/verify', token),
    action: 'Confirm email address',
    closing:
      "This link expires in 24 hours and works once. If it wasn't you, don't confirm the address: somebody else has the password of this account, and could use it together with you. You can ignore this email.",
  });
}

type EmailChange = {
  readonly to: string;
  readonly newEmail: string;
  /** Undefined if this address cannot revert the change. */
  readonly token: string | undefined;
};

/** Sent to the previous address, in case the owner did not make the change. */
export function emailChangedMail({ to, newEmail, token }: EmailChange): Mail {
  const subject = 'Your email address was changed';
  if (!token) {
    // The old address may belong to a stranger, so the mail does not contain the new one.
    return compose({
      to,
      subject,
      paragraphs: [
        `${to} is no longer the email address of a Social Leads account. We'll send no more emails here.`,
        "If you don't have an account, someone may have entered your address by mistake. You don't need to do anything.",
      ],
      closing:
        "If it's your account and you didn't make this change, someone else may have access to it. On a device where you're still signed in, change the address back and set a new password.",
    });
  }

  return compose({
    to,
    subject,
    paragraphs: [
      `The email address of your Social Leads account is now ${newEmail}. Use it to sign in. We'll send all emails there.`,
      "If you didn't make this change, someone else may have access to your account. Restore this address: that signs out all devices, and you then set a new password.",
    ],
    link: linkTo('email/revert', token),
    action: 'Restore this address',
    closing:
      'This link expires in seven days and works once. If you made the change, you can ignore this email.',
  });
}

const securitySettings = () => `${config.appUrl}/settings/security`;
const notYou =
  "If this wasn't you, someone else may have access to your account: change your password and sign out all other devices.";

export function twoFactorEnabledMail(to: string): Mail {
  return compose({
    to,
    subject: 'Two-factor authentication is on',
    paragraphs: [
      'Two-factor authentication was turned on for your Social Leads account. From now on, you need a code from your authenticator app to sign in.',
      'Keep your recovery codes in a safe place. Each of them works once if you lose your phone.',
    ],
    link: securitySettings(),
    action: 'Review your security settings',
    closing: notYou,
  });
}

export function twoFactorDisabledMail(to: string): Mail {
  return compose({
    to,
    subject: 'Two-factor authentication is off',
    paragraphs: [
      'Two-factor authentication was turned off for your Social Leads account. Your password alone is enough to sign in.',
    ],
    link: securitySettings(),
    action: 'Review your security settings',
    closing: notYou,
  });
}

export function recoveryCodeUsedMail(to: string): Mail {
  return compose({
    to,
    subject: 'A recovery code was used',
    paragraphs: [
      'A recovery code of your Social Leads account was used in place of a code from your authenticator app. It does not work again.',
      'If you lost your phone, turn two-factor authentication off and set it up on your new phone. That also gives you new recovery codes.',
    ],
    link: securitySettings(),
    action: 'Review your security settings',
    closing: notYou,
  });
}

/** Sent when a user with a password signs in with Google for the first time. */
export function googleLinkedMail(to: string): Mail {
  return compose({
    to,
    subject: 'Your Google account was linked',
    paragraphs: [
      `You signed in with Google for the first time, so your Google account ${to} is now linked to your Social Leads account.`,
      'Your account had a password before. In case somebody else chose it, we signed out all other devices, and the password and your API keys no longer work.',
      'You can keep signing in with Google. To use a password too, choose "Forgot your password?" on the sign-in page.',
    ],
    link: securitySettings(),
    action: 'Review your security settings',
    closing:
      "If this wasn't you, someone else has access to your Google account: secure it at Google first.",
  });
}

export function passwordResetMail(to: string, token: string): Mail {
  return compose({
    to,
    subject: 'Reset your password',
    paragraphs: ['We received a request to reset the password of your Social Leads account.'],
    link: linkTo('password/reset', token),
    action: 'Reset password',
    closing:
      "This link expires in one hour and works once. If you didn't request it, you can ignore this email.",
  });
}

type CreditsLeft = {
  readonly to: string;
  readonly organizationName: string;
  readonly credits: number;
};

export function creditsLowMail({ to, organizationName, credits }: CreditsLeft): Mail {
  const left = credits === 1 ? '1 credit' : `${credits} credits`;
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Credits are low: ${organization}`,
    paragraphs: [
      `${organization} has ${left} left. Each automatic reply uses one credit.`,
      'Automatic replies stop when you run out of credits.',
    ],
    link: `${config.appUrl}/billing`,
    action: 'Buy credits or turn on auto-refill',
    closing: 'You can turn these emails off in your notification settings.',
  });
}

export function creditsExhaustedMail({ to, organizationName }: CreditsLeft): Mail {
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Automatic replies stopped: ${organization} has no credits left`,
    paragraphs: [
      `${organization} ran out of credits, so its agents no longer reply to customers.`,
      'They answer new messages again as soon as you have credits.',
    ],
    link: `${config.appUrl}/billing`,
    action: 'Buy credits',
    closing: 'You can turn these emails off in your notification settings.',
  });
}

type RefillRefusal = {
  readonly to: string;
  readonly organizationName: string;
  /** The organization's time zone. */
  readonly timezone: string;
  /** The error message from the payment provider. */
  readonly reason: string;
  /** Undefined if auto-refill was turned off. */
  readonly pausedUntil: string | undefined;
};

export function refillRefusedMail(refusal: RefillRefusal): Mail {
  const { to, organizationName, timezone, reason, pausedUntil } = refusal;
  const next = pausedUntil
    ? `We'll retry after ${dayIn(Date.parse(pausedUntil), timezone)} ${timeIn(pausedUntil, timezone)}, or as soon as you add or select another payment method.`
    : 'This was the third decline in a row, so we turned auto-refill off. Update your payment method, then turn auto-refill on again.';
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Auto-refill failed for ${organization}`,
    paragraphs: [
      `Your payment was declined, so we didn't add credits to ${organization}. The payment provider said: ${reason}`,
      next,
    ],
    link: `${config.appUrl}/billing`,
    action: 'Update your payment method',
    closing: 'Automatic replies stop when you run out of credits.',
  });
}

type RefillCap = {
  readonly to: string;
  readonly organizationName: string;
  /** In US dollars. */
  readonly cap: number;
  /** YYYY-MM, in UTC. */
  readonly month: string;
};

/** Returns the first day of the following month, such as 'May 1'. */
function firstDayAfter(month: string): string {
  const day = new Date(`${month}-01T00:00:00.000Z`);
  day.setUTCMonth(day.getUTCMonth() + 1);

  return day.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
}

export function refillCapMail({ to, organizationName, cap, month }: RefillCap): Mail {
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Auto-refill paused: ${organization} reached its monthly cap`,
    paragraphs: [
      `${organization} is low on credits, but another auto-refill would exceed your monthly cap of ${cap} USD.`,
      `Auto-refill resumes on ${firstDayAfter(month)} (UTC), or as soon as you raise the cap.`,
    ],
    link: `${config.appUrl}/billing`,
    action: 'Buy credits or raise the cap',
    closing: 'Automatic replies stop when you run out of credits.',
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
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Payment failed for ${organization}'s subscription`,
    paragraphs: [
      `We couldn't charge your payment method for the ${planName} plan of ${organization}.`,
      isTriedAgain
        ? "We'll retry over the next few days."
        : "This was the last attempt. We won't retry until you add or select a payment method.",
    ],
    link: `${config.appUrl}/billing`,
    action: 'Update your payment method',
    closing: "We'll add your monthly credits once the payment succeeds.",
  });
}

type Reversed = {
  readonly to: string;
  readonly organizationName: string;
  readonly dollars: number;
};

export function refundMail({ to, organizationName, dollars }: Reversed): Mail {
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Payment refunded for ${organization}`,
    paragraphs: [
      `We refunded ${dollars.toFixed(2)} USD to ${organization} and removed the credits that it bought.`,
      'Credits that you already used are deducted from the next credits you receive.',
    ],
    link: `${config.appUrl}/billing`,
    action: 'Check your balance',
    closing: 'Automatic replies stop when you run out of credits.',
  });
}

export function disputeOpenedMail({ to, organizationName, dollars }: Reversed): Mail {
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Payment disputed for ${organization}`,
    paragraphs: [
      `A cardholder disputed a payment of ${dollars.toFixed(2)} USD by ${organization}. We hold its credits and paused auto-refill until the bank decides.`,
      'If your team made the payment, ask the cardholder to withdraw the dispute at the bank.',
    ],
    link: `${config.appUrl}/billing`,
    action: 'Check your balance',
    closing: 'Automatic replies stop when you run out of credits.',
  });
}

type ClosedDispute = Omit<Reversed, 'dollars'> & { readonly isWon: boolean };

export function disputeClosedMail({ to, organizationName, isWon }: ClosedDispute): Mail {
  const organization = organizationIn(organizationName);

  return compose({
    to,
    subject: `Payment dispute closed for ${organization}`,
    paragraphs: [
      isWon
        ? `The disputed payment of ${organization} was confirmed, so we returned its credits.`
        : `The bank returned the disputed payment of ${organization} to the cardholder, so we removed its credits.`,
      ...(isWon
        ? []
        : ['Credits that you already used are deducted from the next credits you receive.']),
    ],
    link: `${config.appUrl}/billing`,
    action: 'Check your balance',
    closing: 'Auto-refill continues if it is turned on and no other payment is disputed.',
  });
}

type InactiveAccount = {
  readonly to: string;
  readonly platformName: string;
  readonly accountName: string;
  readonly reason: string;
  /** `messages`: messages stopped working, but posts can still be published. */
  readonly lost: 'all' | 'messages';
};

export function accountInactiveMail({
  to,
  platformName,
  accountName,
  reason,
  lost,
}: InactiveAccount): Mail {
  const isAll = lost === 'all';
  const account = mailName(accountName, 'your account');

  return compose({
    to,
    subject: `Reconnect ${account} on ${platformName}`,
    paragraphs: [
      isAll
        ? `Social Leads no longer has access to ${account} on ${platformName}.`
        : `Social Leads no longer has access to messages and comments of ${account} on ${platformName}.`,
      reason,
      isAll
        ? 'Until you reconnect the account, we cannot publish posts or reply to messages there.'
        : 'Posts are still published. Until you reconnect, we cannot reply to messages or comments there.',
    ],
    link: `${config.appUrl}/social/accounts`,
    action: 'Reconnect the account',
    closing: 'You can turn these emails off in your notification settings.',
  });
}

type DisabledWebhook = { readonly to: string; readonly url: string; readonly reason: string };

export function webhookDisabledMail({ to, url, reason }: DisabledWebhook): Mail {
  return compose({
    to,
    subject: `Webhook switched off: ${new URL(url).host}`,
    paragraphs: [
      `We switched off your webhook to ${url}.`,
      `${reason}.`,
      'Events that happen while the webhook is off are not sent later. Fix the endpoint, then switch the webhook on again.',
    ],
    link: `${config.appUrl}/settings/webhooks`,
    action: 'Review the webhook',
    closing: 'You received this email because you are an owner or admin of the organization.',
  });
}

type LimitedReplies = {
  readonly to: string;
  readonly platformName: string;
  readonly accountName: string;
};

export function repliesLimitedMail({ to, platformName, accountName }: LimitedReplies): Mail {
  const account = mailName(accountName, 'your account');

  return compose({
    to,
    subject: `Automatic replies paused for ${account} on ${platformName}`,
    paragraphs: [
      `${account} on ${platformName} reached the hourly limit of automatic replies. This can happen during a very successful campaign, or if someone abuses the agent to use up your credits.`,
      "Automatic replies resume at the next full hour. The agent won't reply to messages that arrive until then, so check whether they need an answer.",
    ],
    link: `${config.appUrl}/social/accounts`,
    action: 'View the account',
    closing: 'You received this email because you are an owner of the organization.',
  });
}

type UnpublishedPost = {
  readonly to: string;
  readonly platformName: string;
  readonly content: string;
  readonly reason: string;
  /** True if the network did not confirm whether it published the post. */
  readonly isOutcomeUnknown: boolean;
};

const shownCharacters = 200;

export function postFailedMail(post: UnpublishedPost): Mail {
  const { to, platformName, content, reason, isOutcomeUnknown } = post;
  const shown = clip(content, shownCharacters);

  return compose({
    to,
    subject: isOutcomeUnknown
      ? `Check whether your post was published on ${platformName}`
      : `Your post was not published on ${platformName}`,
    paragraphs: [
      isOutcomeUnknown
        ? `We sent this post to ${platformName}, but ${platformName} did not confirm that it was published. Check ${platformName} before you publish it again. We won't retry automatically:`
        : `We couldn't publish this post on ${platformName}:`,
      shown,
      `Reason: ${reason}`,
    ],
    link: `${config.appUrl}/content`,
    action: 'View the post',
    closing: isOutcomeUnknown
      ? 'If the post is not there, schedule it for a new time.'
      : 'To try again, schedule the post for a new time.',
  });
}

const handoverReasons = {
  HANDOFF: 'The agent asked for a person to take over.',
  LOW_CONFIDENCE: "The agent wasn't sure enough of its answer, so it sent none.",
  UNSAFE_ANSWER: "The agent's answer looked unsafe, so we didn't send it.",
  AI_UNAVAILABLE: "The AI service isn't available, so the agent couldn't answer.",
  NO_CREDITS: 'You ran out of credits, so the agent stopped answering.',
  MAX_RESPONSES: 'The agent has sent the maximum number of responses for this conversation.',
  NO_TEXT: "The customer's message has no text, so the agent can't answer it.",
  PROMPT_TOO_LONG:
    "The agent's instructions are too long once they're filled in. Shorten its template or variables.",
  SUBSCRIPTION_PAUSED: "Your subscription is paused, so the agent doesn't answer.",
} as const satisfies Record<HandoverReason, string>;

/** Formats a time as HH:MM and names the time zone. */
function timeIn(time: string, timezone: string): string {
  return `${timeOfDay(Date.parse(time), timezone)} ${timezone}`;
}

type HandedOver = {
  readonly to: string;
  readonly conversationId: string;
  readonly customerName: string;
  readonly platformName: string;
  readonly reason: HandoverReason;
  readonly waitingSince: string | undefined;
  /** The organization's time zone. */
  readonly timezone: string;
  /** The customer's latest message. Undefined if something was sent since. */
  readonly lastText: string | undefined;
};

export function handedOverMail(handedOver: HandedOver): Mail {
  const { to, conversationId, customerName, platformName, reason, lastText } = handedOver;
  const { waitingSince, timezone } = handedOver;
  const customer = mailName(customerName, 'A customer');

  return compose({
    to,
    subject: `${customer} needs an answer on ${platformName}`,
    paragraphs: [
      waitingSince
        ? `${customer} has been waiting for an answer on ${platformName} since ${timeIn(waitingSince, timezone)}.`
        : `${customer} needs an answer on ${platformName}.`,
      handoverReasons[reason],
      ...(lastText ? [`Their latest message: ${withoutAddresses(lastText)}`] : []),
    ],
    link: `${config.appUrl}/conversations/${conversationId}`,
    action: 'Open the conversation',
    closing:
      "We won't email you about this conversation again until someone reads or answers it. You can turn these emails off in your notification settings.",
  });
}

type UnansweredConversation = {
  readonly id: string;
  readonly customerName: string;
  readonly platformName: string;
  readonly waitingSince: string;
  /**
   * The customer's latest message. Undefined if something was sent since, empty if it has no text.
   */
  readonly lastText: string | undefined;
};

type Unanswered = {
  readonly to: string;
  readonly conversations: readonly UnansweredConversation[];
  /** The number of other conversations that later mails will list. */
  readonly more: number;
  /** The organization's time zone. */
  readonly timezone: string;
};

const digestCharacters = 100;

export function unansweredMail({ to, conversations, more, timezone }: Unanswered): Mail {
  const total = conversations.length + more;

  return compose({
    to,
    subject:
      total === 1
        ? '1 customer is waiting for an answer'
        : `${total} customers are waiting for an answer`,
    paragraphs: [
      `These customers wrote to you, and no agent answered. Times are in ${timezone}.`,
      ...conversations.map((conversation) => ({
        sentence: sentenceAbout(conversation, timezone),
        link: `${config.appUrl}/conversations/${conversation.id}`,
        action: 'Open the conversation',
      })),
      ...(more > 0
        ? [
            `${more} more ${more === 1 ? 'customer is' : 'customers are'} waiting. The next emails will list them.`,
          ]
        : []),
    ],
    closing:
      'We list each conversation once until someone reads or answers it. You can turn these emails off in your notification settings.',
  });
}

function sentenceAbout(conversation: UnansweredConversation, timezone: string): string {
  const { customerName, platformName, waitingSince, lastText } = conversation;
  const since = Date.parse(waitingSince);
  const start = `${mailName(customerName, 'A customer')} on ${platformName}, since ${dayIn(since, timezone)} ${timeOfDay(since, timezone)}`;
  if (lastText === undefined) {
    return start;
  }
  const words = withoutAddresses(oneLine(lastText));
  const first = firstCharacters(words, digestCharacters);

  return words === ''
    ? `${start}: a message without text`
    : `${start}: ${first}${first === words ? '' : '…'}`;
}

type Assigned = {
  readonly to: string;
  readonly assignerName: string;
  readonly what: 'conversation' | 'lead';
  readonly id: string;
  readonly customerName: string;
  /** Undefined for leads. */
  readonly platformName?: string;
};

export function assignedMail(assigned: Assigned): Mail {
  const { to, assignerName, what, id, customerName, platformName } = assigned;
  const customer = mailName(customerName, 'a customer');
  const place = platformName ? ` on ${platformName}` : '';
  const [subject, sentence] =
    what === 'lead'
      ? [`The lead ${customer} is yours`, `the lead ${customer}`]
      : [
          `The conversation with ${customer}${place} is yours`,
          `the conversation with ${customer}${place}`,
        ];

  return compose({
    to,
    subject,
    paragraphs: [`${mailName(assignerName, 'Somebody')} assigned ${sentence} to you.`],
    link: `${config.appUrl}/${what}s/${id}`,
    action: `Open the ${what}`,
    closing: 'You can turn these emails off in your notification settings.',
  });
}
