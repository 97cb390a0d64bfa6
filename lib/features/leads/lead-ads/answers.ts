import type { ContactDetails } from '#lib/features/leads/contacts/contacts.ts';
import type { CustomField } from '#lib/features/leads/custom-field.ts';
import { type GivenValues, valueOfCell, valueProblems } from '#lib/features/leads/custom-values.ts';
import { placeholderAddress } from '#lib/features/leads/placeholder-address.ts';
import { cutToLength, oneLine, storableText } from '#lib/platform/characters.ts';
import type { LeadAd } from '#lib/vendors/networks/network.ts';
import { email, maxLength } from '#schemas/common.ts';
import { type AppliesTo, maxCustomText } from '#schemas/custom-fields.ts';
import type { Platform } from '#schemas/platforms.ts';

/** Real forms have fewer questions and shorter answers. */
const maxAnswers = 100;
const maxAnswerLength = 2_000;
const maxPhoneLength = 50;

/** The answers of a form by the names of its questions. */
export type Answers = Readonly<Record<string, string>>;

/** Returns the answers of a form that are not empty, so that they can be stored. */
export function answersOf({ answers }: LeadAd): Answers {
  const named = answers.slice(0, maxAnswers).map(({ name, values }) => {
    const text = cutToLength(storableText(values.join(', ')), maxAnswerLength).trim();

    return [cutToLength(oneLine(storableText(name)), maxLength.name).trim(), text] as const;
  });

  return Object.fromEntries(named.filter(([name, text]) => name !== '' && text !== ''));
}

const contactAnswers: ReadonlySet<string> = new Set([
  'full_name',
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'company_name',
]);

/**
 * Returns the person who submitted a form. Without an email address, the person is identified by
 * the form's id.
 */
export function personOf(
  platform: Platform,
  leadAdId: string,
  answers: Answers,
): Pick<ContactDetails, 'name' | 'email' | 'phone' | 'company'> {
  const lineOf = (name: string, length: number = maxLength.name) =>
    cutToLength(oneLine(answers[name] ?? ''), length).trim();
  const { success, data } = email.safeParse(answers.email ?? '');
  const address = success
    ? data
    : placeholderAddress({ platform, customer: { id: leadAdId, name: '' } });
  const both = `${lineOf('first_name')} ${lineOf('last_name')}`.trim();
  const name = lineOf('full_name') || cutToLength(both, maxLength.name);
  const phone = lineOf('phone_number', maxPhoneLength);
  const company = lineOf('company_name');

  return {
    name: name || cutToLength(success ? data : leadAdId, maxLength.name),
    email: address,
    ...(phone ? { phone } : {}),
    ...(company ? { company } : {}),
  };
}

/** Returns the answers that are not stored on the contact, including an invalid email address. */
export function otherAnswers(answers: Answers): Answers {
  const isUsable = email.safeParse(answers.email ?? '').success;

  return Object.fromEntries(
    Object.entries(answers).filter(
      ([name]) => !contactAnswers.has(name) || (name === 'email' && !isUsable),
    ),
  );
}

/** Returns the answers that are valid values of custom fields with the same keys. */
export function customAnswers(
  fields: readonly CustomField[],
  appliesTo: AppliesTo,
  answers: Answers,
): GivenValues {
  const fitting = fields.flatMap((field) => {
    const answer = Object.hasOwn(answers, field.key) ? answers[field.key] : undefined;
    if (field.appliesTo !== appliesTo || answer === undefined || answer.length > maxCustomText) {
      return [];
    }
    const given = { [field.key]: valueOfCell(field, answer) };

    return valueProblems(fields, appliesTo, given).length === 0 ? Object.entries(given) : [];
  });

  return Object.fromEntries(fitting);
}
