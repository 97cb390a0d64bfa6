import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { consentVersion, type Problem } from './check-submission.ts';
import { consentName, type FormInput, type InputKind } from './form-inputs.ts';

export function idOf(key: string): string {
  return `field-${key}`;
}

type Look = {
  /** Attributes of the element. */
  readonly attributes: string;
  readonly hint?: string;
  /** The advice for a wrong value. */
  readonly advice: string;
};

const looks: Readonly<Record<InputKind, Look>> = {
  NAME: { attributes: 'type="text" autocomplete="name"', advice: 'Enter your name in one line' },
  EMAIL: {
    attributes: 'type="email" inputmode="email" autocomplete="email" required',
    advice: 'Enter an email address, such as name@example.com',
  },
  PHONE: {
    attributes: 'type="tel" autocomplete="tel"',
    advice: 'Enter a phone number in one line',
  },
  COMPANY: {
    attributes: 'type="text" autocomplete="organization"',
    advice: 'Enter the name of your company in one line',
  },
  MESSAGE: { attributes: 'rows="5"', advice: 'Enter a shorter message' },
  TEXT: { attributes: 'type="text"', advice: 'Enter a text in one line' },
  NUMBER: {
    attributes: 'type="text" inputmode="decimal"',
    hint: 'A number, such as 1500',
    advice: 'Enter a number, such as 1500 or 12.5',
  },
  DATE: { attributes: 'type="date"', advice: 'Enter a date, such as 2026-01-15' },
  BOOLEAN: { attributes: 'type="checkbox"', advice: 'Check the box or leave it empty' },
  SELECT: { attributes: '', advice: 'Choose one of the options' },
};

/** Returns the text that explains a wrong value to the visitor. */
export function problemText(inputs: readonly FormInput[], { key, message }: Problem): string {
  if (key === consentName) {
    return message.includes('current')
      ? 'The text of this box has changed. Read it, and check the box again'
      : 'Check the box to send this form';
  }
  const input = inputs.find((one) => one.key === key);
  if (!input) {
    return message;
  }
  const advice = looks[input.kind].advice;
  const isOwn = input.appliesTo !== undefined;
  const limit = message.includes('characters') ? ` of at most ${input.maxLength} characters` : '';

  return `${isOwn ? `${input.label}: ` : ''}${advice}${limit}`;
}

/** Returns the label and element of an input, with its value and problem. */
export function fieldOf(input: FormInput, value: unknown, problem: Problem | undefined): string {
  const id = escapeHtml(idOf(input.key));
  const { hint } = looks[input.kind];
  const described = [...(hint ? [`${id}-hint`] : []), ...(problem ? [`${id}-problem`] : [])].join(
    ' ',
  );
  const attributes = `id="${id}" name="${escapeHtml(input.key)}"${described ? ` aria-describedby="${described}"` : ''}${problem ? ' aria-invalid="true"' : ''}`;
  const error = problem
    ? `<p class="problem" id="${id}-problem">${escapeHtml(problemText([input], problem))}</p>`
    : '';
  const note = hint ? ` <span class="soft" id="${id}-hint">(${hint})</span>` : '';
  const label = escapeHtml(input.label);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const inner =
    input.kind === 'BOOLEAN'
      ? `${error}<label class="box" for="${id}"><input ${looks.BOOLEAN.attributes} ${attributes} value="true"${text === 'true' ? ' checked' : ''}><span dir="auto">${label}</span></label>`
      : `<label for="${id}"><span dir="auto">${label}</span>${note}${input.kind === 'EMAIL' ? ' <span class="soft">(required)</span>' : ''}</label>${error}${elementOf(input, attributes, text)}`;

  return `<div class="field${problem ? ' bad' : ''}">${inner}</div>`;
}

function elementOf(input: FormInput, attributes: string, value: string): string {
  const { kind, maxLength, options } = input;
  const own = looks[kind].attributes;
  if (kind === 'MESSAGE') {
    // The HTML parser drops a line break at the start.
    return `<textarea ${own} ${attributes} maxlength="${maxLength}" dir="auto">\n${escapeHtml(value)}</textarea>`;
  }
  if (kind === 'SELECT') {
    const choices = options.map(
      (option) =>
        `<option value="${escapeHtml(option)}"${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`,
    );

    return `<select ${attributes}><option value="">Choose…</option>${choices.join('')}</select>`;
  }

  const length = kind === 'DATE' ? '' : ` maxlength="${maxLength}"`;

  return `<input ${own} ${attributes}${length} value="${escapeHtml(value)}"${isProse(kind) ? ' dir="auto"' : ''}>`;
}

/** True for inputs whose text may be written from right to left. */
function isProse(kind: InputKind): boolean {
  return kind === 'NAME' || kind === 'COMPANY' || kind === 'TEXT';
}

/** Returns the consent checkbox. Its value identifies the text that was shown. */
export function consentField(text: string, value: unknown, problem: Problem | undefined): string {
  const id = idOf(consentName);
  const version = consentVersion(text);
  const error = problem
    ? `<p class="problem" id="${id}-problem">${escapeHtml(problemText([], problem))}</p>`
    : '';

  return `<div class="field${problem ? ' bad' : ''}">${error}<label class="box" for="${id}"><input type="checkbox" id="${id}" name="${consentName}" value="${version}" required${problem ? ` aria-describedby="${id}-problem" aria-invalid="true"` : ''}${value === version ? ' checked' : ''}><span dir="auto">${escapeHtml(text)}</span></label></div>`;
}
