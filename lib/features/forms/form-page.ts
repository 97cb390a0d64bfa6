import type { CustomField } from '#lib/features/leads/custom-field.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import { firstCharacters } from '#lib/platform/characters.ts';
import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { htmlPage, pagePolicy } from '#lib/platform/html/page.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { newId } from '#lib/platform/ids.ts';
import type { GivenForm, Problem } from './check-submission.ts';
import { consentName, type FormInput, honeypotName, submissionIdName } from './form-inputs.ts';
import { consentField, fieldOf, idOf, problemText } from './form-page-fields.ts';
import { formPageStyle } from './form-page-style.ts';
import type { Form } from './forms.ts';

type Owner = Pick<Organization, 'organizationId' | 'name'>;

type Page = {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly owner: Owner;
  readonly redirectUrl?: string | undefined;
  readonly title: string;
  readonly heading: string;
  /** HTML. */
  readonly body: string;
};

/** Returns a page that loads nothing from elsewhere and runs no scripts. */
function answerPage(page: Page): HttpAnswer {
  const { statusCode = 200, owner, redirectUrl, title, heading, body } = page;
  const style = formPageStyle(owner.organizationId);
  const mark = firstCharacters(owner.name, 1).toLocaleUpperCase();

  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(style, {
        hasForm: true,
        ...(redirectUrl ? { redirectOrigin: new URL(redirectUrl).origin } : {}),
      }),
      'x-robots-tag': 'noindex',
      ...page.headers,
    },
    body: htmlPage({
      title,
      head: '<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n',
      style,
      main: `<main>
<header><div class="mark" aria-hidden="true">${escapeHtml(mark)}</div>
<h1 dir="auto">${escapeHtml(heading)}</h1>
<p dir="auto">${escapeHtml(owner.name)}</p></header>
<div class="panel">
${body}
</div>
</main>`,
    }),
  };
}

export type ShownForm = {
  readonly form: Form;
  readonly owner: Owner;
  readonly inputs: readonly FormInput[];
  readonly customFields: readonly CustomField[];
  /** The UTM parameters of the page's address, as a query. The form's action contains them, too. */
  readonly query: string;
};

type Filled = {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly given?: GivenForm;
  readonly problems?: readonly Problem[];
  /** A message about the whole form. */
  readonly notice?: string;
};

/** Returns the page to fill in, with earlier input and its problems. */
export function formPage(
  { form, owner, inputs, query }: ShownForm,
  { statusCode, headers, given = {}, problems = [], notice }: Filled = {},
): HttpAnswer {
  const byKey = new Map(problems.map((problem) => [problem.key, problem]));
  const isWrong = problems.length > 0 || notice !== undefined;
  const fields = inputs.map((input) => fieldOf(input, given[input.key], byKey.get(input.key)));
  const consent = form.consentText
    ? [consentField(form.consentText, given[consentName], byKey.get(consentName))]
    : [];

  return answerPage({
    ...(statusCode ? { statusCode } : {}),
    ...(headers ? { headers } : {}),
    owner,
    redirectUrl: form.redirectUrl,
    title: `${isWrong ? 'Error: ' : ''}${form.name} · ${owner.name}`,
    heading: form.name,
    body: `${isWrong ? summaryOf(inputs, problems, notice) : ''}<form method="post" action="?${escapeHtml(query)}" novalidate>
<input type="hidden" name="${submissionIdName}" value="${escapeHtml(submissionIdOf(given))}">
<div class="aside" aria-hidden="true"><label for="${honeypotName}">Leave this empty</label><input type="text" id="${honeypotName}" name="${honeypotName}" tabindex="-1" autocomplete="off"></div>
${[...fields, ...consent].join('\n')}
<button class="button" type="submit">Send</button>
</form>`,
  });
}

/** The page that is returned after an error is still the same submission. */
function submissionIdOf(given: GivenForm): string {
  const id = given[submissionIdName];

  return typeof id === 'string' && id ? id : newId();
}

function summaryOf(
  inputs: readonly FormInput[],
  problems: readonly Problem[],
  notice: string | undefined,
): string {
  const items = problems.map(
    (problem) =>
      `<li><a href="#${escapeHtml(idOf(problem.key))}">${escapeHtml(problemText(inputs, problem))}</a></li>`,
  );
  const list = items.length > 0 ? `<ul role="list">${items.join('')}</ul>` : '';

  return `<div class="alert" role="alert" tabindex="-1" autofocus><h2>${escapeHtml(notice ?? 'Please correct the following')}</h2>${list}</div>
`;
}

const defaultThanks = 'Thank you. We have received your message.';

export function thankYouText({ thankYouText: own }: Form): string {
  return own ?? defaultThanks;
}

/** Returns the page after a submission. */
export function thankYouPage({ form, owner }: ShownForm): HttpAnswer {
  return answerPage({
    owner,
    title: `Sent: ${form.name} · ${owner.name}`,
    heading: form.name,
    body: `<p class="thanks" role="status" dir="auto">${escapeHtml(thankYouText(form))}</p>`,
  });
}
