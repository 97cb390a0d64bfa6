import { hueOf, pageStyle } from '#lib/features/bio/bio-page-style.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import { firstCharacters } from '#lib/platform/characters.ts';
import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { htmlPage, pagePolicy } from '#lib/platform/html/page.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { capabilities, platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { ChoiceKind, Platform } from '#schemas/platforms.ts';
import { maxConnections } from '#schemas/social-oauth.ts';
import { connectPageStyle } from './connect-page-style.ts';
import type { ConnectionFailure, ConsentFailure, DescribedChoice } from './oauth-session.ts';

type Owner = Pick<Organization, 'organizationId' | 'name'>;

/** The organization that asks, and the network that it asks for. */
export type Asked = { readonly owner: Owner; readonly platform: Platform };

const neutralHue = 255;

/** The thing that a person connects, in the network's own words. */
const things: Readonly<Record<Platform, { readonly one: string; readonly many: string }>> = {
  FACEBOOK: { one: 'Facebook page', many: 'Facebook pages' },
  INSTAGRAM: { one: 'Instagram account', many: 'Instagram accounts' },
  TIKTOK: { one: 'TikTok account', many: 'TikTok accounts' },
  TWITTER: { one: 'X account', many: 'X accounts' },
  LINKEDIN: { one: 'LinkedIn page or profile', many: 'LinkedIn pages and profiles' },
  YOUTUBE: { one: 'YouTube channel', many: 'YouTube channels' },
};

const kinds: Readonly<Record<ChoiceKind, string>> = {
  PROFILE: 'Profile',
  PAGE: 'Page',
  ORGANIZATION: 'Company page',
  CHANNEL: 'Channel',
};

type Page = {
  readonly statusCode?: number;
  readonly owner?: Owner | undefined;
  readonly title: string;
  /** HTML. */
  readonly body: string;
};

/** Returns a page that loads nothing from elsewhere and runs no scripts. */
function answerPage({ statusCode = 200, owner, title, body }: Page): HttpAnswer {
  const style = `${pageStyle(owner ? hueOf(owner.organizationId) : neutralHue)}${connectPageStyle}`;
  const mark = owner ? firstCharacters(owner.name, 1).toLocaleUpperCase() : '?';

  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(style, { hasForm: true }),
      'x-robots-tag': 'noindex',
    },
    body: htmlPage({
      title: `${title} · Social Leads`,
      head: '<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n',
      style,
      main: `<main>
<header><div class="mark" aria-hidden="true">${escapeHtml(mark)}</div>
<h1 dir="auto">${escapeHtml(title)}</h1></header>
<div class="panel">
${body}
</div>
</main>`,
    }),
  };
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

/** A link instead of a form, because some browsers apply a form's policy to all later redirects. */
function startButton(label: string): string {
  return `<p><a class="button" href="?start=1" rel="nofollow">${escapeHtml(label)}</a></p>`;
}

function list(items: readonly string[]): string {
  return `<ul class="points">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

/** Returns what the organization will be able to do, in plain language. */
function permissionsOf(platform: Platform): readonly string[] {
  const { supports, needsBusinessToken } = capabilities[platform];
  const repliesByThisToken = !needsBusinessToken;

  return [
    'Publish posts in your name',
    ...(supports.commentReply && repliesByThisToken ? ['Read comments and answer them'] : []),
    ...(supports.directMessage && repliesByThisToken ? ['Read messages and answer them'] : []),
    'See how your posts perform',
  ];
}

/** The first page: explains who asks for which access. */
export function startPage({ owner, platform }: Asked): HttpAnswer {
  const network = platformNames[platform];

  return answerPage({
    owner,
    title: `Connect your ${things[platform].one} to ${owner.name}`,
    body: `<p><strong dir="auto">${escapeHtml(owner.name)}</strong> uses Social Leads to look after social media accounts, and asks for access to yours. They will be able to:</p>
${list(permissionsOf(platform).map(escapeHtml))}
${startButton(`Continue to ${network}`)}
<p class="soft">You sign in at ${network}, so nobody here sees your password. You can end the access at any time in your ${network} settings.</p>
<p class="soft">Not expecting this? Close this page, and nothing happens.</p>`,
  });
}

export type PageChoice = DescribedChoice & {
  /** True if the organization already has the account, and its access works. */
  readonly isActive: boolean;
};

export type ChoiceProblem = 'none' | 'many';

const problems: Readonly<Record<ChoiceProblem, string>> = {
  none: 'Choose at least one.',
  many: `Choose at most ${maxConnections}. You can ask for another link to connect more.`,
};

type ChoicePage = Asked & {
  readonly sessionId: string;
  readonly choices: readonly PageChoice[];
  readonly problem?: ChoiceProblem | undefined;
  readonly failures: readonly ConnectionFailure[];
};

/** The page after the network's: the person chooses what to connect. */
export function choicePage(page: ChoicePage): HttpAnswer {
  const { owner, platform, sessionId, choices, failures, problem } = page;
  const open = choices.filter(isOpen);
  if (open.length === 0) {
    return answerPage({
      owner,
      title: 'There is nothing left to connect',
      body: `${choiceNotes(choices)}
${paragraph(`To connect another ${things[platform].one}, sign in at ${platformNames[platform]} as the person who manages it, and start again.`)}
${startButton('Start again')}`,
    });
  }
  const names = new Map(choices.map(({ platformUserId, name }) => [platformUserId, name]));
  const alerts = [
    ...(problem ? [escapeHtml(problems[problem])] : []),
    ...failures.map((failure) => failureLine(platform, failure, names)),
  ];

  return answerPage({
    owner,
    title: `Choose what to connect to ${owner.name}`,
    body: `${alerts.length > 0 ? `<div class="alert" role="alert">${alerts.map((alert) => `<p>${alert}</p>`).join('')}</div>\n` : ''}<form method="post" action="?">
<input type="hidden" name="session" value="${escapeHtml(sessionId)}">
<fieldset><legend>${escapeHtml(choices.length === 1 ? `Your ${things[platform].one}` : `Your ${things[platform].many}`)}</legend>
${choices.map((choice, index) => choiceRow(choice, index, open.length === 1)).join('\n')}
</fieldset>
<p><button class="button" type="submit">Connect</button></p>
</form>
<p class="soft">Only what you choose is connected. Is something missing? <a href="?start=1" rel="nofollow">Sign in at ${platformNames[platform]} again</a>.</p>`,
  });
}

function isOpen({ connected, isActive }: PageChoice): boolean {
  return connected === 'NONE' || (connected === 'HERE' && !isActive);
}

function noteOf({ connected, isActive }: PageChoice): string | undefined {
  if (connected === 'ELSEWHERE') {
    return 'Connected to another organization, which must disconnect it first';
  }
  if (connected === 'HERE') {
    return isActive ? 'Already connected' : 'Was connected before, and needs new access';
  }

  return undefined;
}

function choiceRow(choice: PageChoice, index: number, isOnly: boolean): string {
  const { platformUserId, name, kind } = choice;
  const note = noteOf(choice) ?? kinds[kind];
  const state = isOpen(choice) ? (isOnly ? ' checked' : '') : ' disabled';

  return `<label class="choice" for="choice-${index}"><input type="checkbox" id="choice-${index}" name="account" value="${escapeHtml(platformUserId)}"${state}><span><span class="name" dir="auto">${escapeHtml(name)}</span><span class="about">${escapeHtml(note)}</span></span></label>`;
}

function choiceNotes(choices: readonly PageChoice[]): string {
  return list(
    choices.map(
      (choice) =>
        `<strong dir="auto">${escapeHtml(choice.name)}</strong>: ${escapeHtml(noteOf(choice) ?? '')}`,
    ),
  );
}

function failureLine(
  platform: Platform,
  { platformUserId, statusCode }: ConnectionFailure,
  names: ReadonlyMap<string, string>,
): string {
  const name = `<strong dir="auto">${escapeHtml(names.get(platformUserId) ?? platformUserId)}</strong>`;
  const network = platformNames[platform];
  if (statusCode === 409) {
    return `${name} is already connected. The organization that connected it must disconnect it first.`;
  }
  if (statusCode === 401 || statusCode === 403) {
    return `${name} could not be connected: ${network} no longer accepts the sign-in.`;
  }

  return `${name} could not be connected: ${network} did not answer as expected.`;
}

type DonePage = Asked & {
  readonly connected: readonly string[];
  readonly failures: readonly ConnectionFailure[];
  readonly names: ReadonlyMap<string, string>;
};

/** The last page: lists the connected accounts, and the failed ones. */
export function donePage({ owner, platform, connected, failures, names }: DonePage): HttpAnswer {
  const rest =
    failures.length > 0
      ? `<h2>Not connected</h2>
${list(failures.map((failure) => failureLine(platform, failure, names)))}
<p>Ask <span dir="auto">${escapeHtml(owner.name)}</span> for a new link to try again.</p>`
      : '';

  return answerPage({
    owner,
    title: 'All set',
    body: `<p><span dir="auto">${escapeHtml(owner.name)}</span> now has access to:</p>
${list(connected.map((name) => `<strong dir="auto">${escapeHtml(name)}</strong>`))}
${rest}
<p>You can close this page.</p>
<p class="soft">To end the access, ask <span dir="auto">${escapeHtml(owner.name)}</span>, or remove it in your ${platformNames[platform]} settings.</p>`,
  });
}

/** The page after a failed authorization: explains what to do next. */
export function failurePage({ owner, platform }: Asked, failure: ConsentFailure | 'EXPIRED') {
  const network = platformNames[platform];
  const thing = things[platform].one;
  const texts: Readonly<Record<typeof failure, readonly [string, string]>> = {
    DENIED: [
      'Access was not allowed',
      `You chose not to give access at ${network}, so nothing was connected. If that was a mistake, start again and allow it.`,
    ],
    SCOPE_MISSING: [
      'A permission is missing',
      `${network} reports that not everything was allowed, so nothing was connected. Start again, and leave all switches on.`,
    ],
    REJECTED: [
      'The sign-in did not work',
      `${network} did not accept the sign-in. That happens if a page was opened twice. Nothing was connected. Start again.`,
    ],
    UNAVAILABLE: [
      `${network} is not answering`,
      'Nothing was connected. Wait a few minutes, and start again.',
    ],
    NO_ACCOUNT: [
      'There is nothing to connect',
      `The person who signed in at ${network} manages no ${thing}, or did not choose one. Start again, and sign in as the person who manages it.`,
    ],
    OTHER_ACCOUNT: [
      'That was another account',
      `Start again, and sign in at ${network} as the person who manages the account.`,
    ],
    EXPIRED: [
      'This took too long',
      'To keep your account safe, a sign-in is valid for 15 minutes. Nothing was connected. Start again.',
    ],
  };
  const [title, explanation] = texts[failure];

  return answerPage({
    owner,
    title,
    body: `${paragraph(explanation)}
${startButton('Start again')}
<p class="soft">Or close this page, and nothing happens.</p>`,
  });
}

export function linkGonePage(): HttpAnswer {
  return answerPage({
    statusCode: 410,
    title: 'This link no longer works',
    body: paragraph(
      'It was used already, has expired, or was withdrawn. Ask the person who sent it for a new one.',
    ),
  });
}

export function linkExhaustedPage({ owner }: Asked): HttpAnswer {
  return answerPage({
    statusCode: 410,
    owner,
    title: 'This link was started too often',
    body: `<p>Nothing was connected. Ask <span dir="auto">${escapeHtml(owner.name)}</span> for a new link.</p>`,
  });
}

export function linkUnknownPage(): HttpAnswer {
  return answerPage({
    statusCode: 404,
    title: 'Page not found',
    body: paragraph(
      'This link does not exist. Check that you opened all of it, or ask the person who sent it for a new one.',
    ),
  });
}

/** The page at the end of an authorization, for deployments without a front end. */
export function windowPage(isUnknownState: boolean): HttpAnswer {
  return isUnknownState
    ? answerPage({
        title: 'Start again',
        body: paragraph(
          'The sign-in was finished already, or took longer than 15 minutes. Nothing was connected now. Go back to where you came from, and start again.',
        ),
      })
    : answerPage({
        title: 'You can close this window',
        body: paragraph('Go back to where you came from, to see the result and to finish.'),
      });
}
