import { createHash } from 'node:crypto';
import type { CustomField } from '#lib/features/leads/custom-field.ts';
import { type GivenValues, valueOfCell, valueProblems } from '#lib/features/leads/custom-values.ts';
import { isStandIn } from '#lib/features/leads/placeholder-address.ts';
import { describeIssues } from '#lib/platform/http/validation.ts';
import { type FormValues, formCustomValue, formValues } from '#schemas/forms.ts';
import { consentName, type FormInput } from './form-inputs.ts';
import type { Form } from './forms.ts';

/** Values by key, as a visitor or a program sent them. */
export type GivenForm = Readonly<Record<string, unknown>>;

export type Problem = {
  readonly key: string;
  /** Starts with the key. */
  readonly message: string;
};

/** The values of a valid submission. */
export type CheckedForm = FormValues & {
  readonly leadFields: GivenValues;
  readonly contactFields: GivenValues;
};

/** Values that browsers and programs send for a checked box. */
const agreed: readonly unknown[] = [true, 'true', 'on', 'yes', '1'];

type Checked = { readonly problems: readonly Problem[]; readonly values?: CheckedForm };

/** Returns the values by the record that they belong to, or the problems of the submission. */
export function checkSubmission(
  form: Form,
  inputs: readonly FormInput[],
  customFields: readonly CustomField[],
  given: GivenForm,
): Checked {
  const standard = checkStandard(inputs, given);
  const custom = customValuesOf(inputs, customFields, given);
  const problems = [
    ...standard.problems,
    ...customProblems(inputs, customFields, custom),
    ...consentProblems(form, given),
  ];
  const order = [...inputs.map(({ key }) => key), consentName];
  if (problems.length > 0 || !standard.values) {
    return { problems: problems.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key)) };
  }
  const ofKind = (kind: FormInput['appliesTo']) =>
    Object.fromEntries(
      inputs.flatMap(({ key, appliesTo }) =>
        appliesTo === kind && custom[key] !== undefined ? [[key, custom[key]]] : [],
      ),
    ) as GivenValues;

  return {
    problems,
    values: { ...standard.values, leadFields: ofKind('LEAD'), contactFields: ofKind('CONTACT') },
  };
}

/** An empty input counts as not given. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && !value.trim());
}

function checkStandard(inputs: readonly FormInput[], given: GivenForm) {
  const standard = inputs.filter(({ appliesTo }) => !appliesTo);
  const shown = Object.fromEntries(
    standard.flatMap(({ key, kind }) =>
      isGiven(given[key])
        ? [[key, kind === 'MESSAGE' ? withLineFeeds(given[key]) : given[key]]]
        : [],
    ),
  );
  const { data, error } = formValues.safeParse(shown, { reportInput: true });
  const problems = describeIssues(error?.issues ?? []).map(problemOf);
  if (data && isStandIn(data.email)) {
    return { problems: [problemOf('email must be an email')] };
  }

  return data ? { problems, values: data } : { problems };
}

/** Browsers send the lines of a text with CRLF. */
function withLineFeeds(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : value;
}

function problemOf(message: string): Problem {
  return { key: message.slice(0, message.indexOf(' ')), message };
}

/** Forms send everything as text. */
function customValuesOf(
  inputs: readonly FormInput[],
  customFields: readonly CustomField[],
  given: GivenForm,
): Readonly<Record<string, unknown>> {
  const byKey = new Map(customFields.map((field) => [field.key, field]));

  return Object.fromEntries(
    inputs.flatMap(({ key }) => {
      const field = byKey.get(key);
      const value = given[key];
      if (!field || !isGiven(value)) {
        return [];
      }

      return [[key, typeof value === 'string' ? valueOfInput(field, value) : value]];
    }),
  );
}

function valueOfInput(field: CustomField, text: string): unknown {
  if (field.type === 'BOOLEAN' && agreed.includes(text)) {
    return true;
  }

  return valueOfCell(field, field.type === 'NUMBER' ? withDecimalPoint(text) : text);
}

/** Accepts `1 500` and `12,5`. A comma before three digits could separate thousands. */
function withDecimalPoint(text: string): string {
  return text.replaceAll(/\s/gu, '').replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
}

function customProblems(
  inputs: readonly FormInput[],
  customFields: readonly CustomField[],
  values: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return inputs.flatMap(({ key, appliesTo }) => {
    const value = values[key];
    if (!appliesTo || value === undefined) {
      return [];
    }
    const { error } = formCustomValue.safeParse(value, { reportInput: true });
    const issues = error?.issues.map((issue) => ({ ...issue, path: [key] })) ?? [];
    const wrongType = valueProblems(customFields, appliesTo, { [key]: value } as GivenValues);

    return [...wrongType.map(withoutPath), ...describeIssues(issues)].slice(0, 1).map(problemOf);
  });
}

/** Removes the path from a problem, because a form's values are at the top level. */
function withoutPath(problem: string): string {
  return problem.replace(/^customFields\./, '');
}

const versionForm = /^v-[\w-]{16}$/;

/** Identifies a consent text. A box that was checked under a different text does not count. */
export function consentVersion(text: string): string {
  return `v-${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}

function consentProblems({ consentText }: Form, given: GivenForm): readonly Problem[] {
  const consent = given[consentName];
  if (!consentText || agreed.includes(consent) || consent === consentVersion(consentText)) {
    return [];
  }
  const isOutdated = typeof consent === 'string' && versionForm.test(consent);

  return [
    {
      key: consentName,
      message: isOutdated
        ? 'consent must be given to the current text'
        : 'consent must be given to send this form',
    },
  ];
}
