import { notFoundPage } from '#lib/features/bio/not-found-page.ts';
import { cutToLength, oneLine } from '#lib/platform/characters.ts';
import { dayMs, now } from '#lib/platform/clock.ts';
import { ApiError, badRequest, notFound } from '#lib/platform/errors/failures.ts';
import { jsonAnswer } from '#lib/platform/http/answer.ts';
import type { HttpAnswer, Idempotently } from '#lib/platform/http/request.ts';
import { newId, timeOfId } from '#lib/platform/ids.ts';
import { maxLength } from '#schemas/common.ts';
import { submissionId, utmValue } from '#schemas/forms.ts';
import { checkSubmission, type GivenForm } from './check-submission.ts';
import { honeypotName, submissionIdName } from './form-inputs.ts';
import { formPage, type ShownForm, thankYouPage, thankYouText } from './form-page.ts';
import { recordSubmission, type Utm } from './record-submission.ts';
import type { UtmQuery } from './show-form.ts';

export type SubmitRequest = {
  readonly given: GivenForm;
  readonly utm: UtmQuery;
  /** True if the sender is a program, which gets JSON. */
  readonly isJson: boolean;
  /** Set if the sender's IP address has sent too many forms. */
  readonly refusal: ApiError | undefined;
  readonly idempotently: Idempotently;
};

/** Responds to a submitted form. The response never reveals whether the person is known. */
export async function submitForm(
  shown: ShownForm | undefined,
  request: SubmitRequest,
): Promise<HttpAnswer> {
  if (!shown) {
    return request.isJson ? raise(notFound('Form')) : notFoundPage();
  }
  if (request.refusal) {
    return busyAnswer(shown, request, request.refusal);
  }
  const { given, utm, isJson, idempotently } = request;
  if (isFilled(given[honeypotName])) {
    return thanks(shown, isJson);
  }
  const { form, inputs, customFields } = shown;
  const { problems, values } = checkSubmission(form, inputs, customFields, given);
  if (!values) {
    return isJson
      ? raise(badRequest(...problems.map(({ message }) => message)))
      : formPage(shown, { statusCode: 400, given, problems });
  }
  const submission = { id: submissionIdOf(given), values, inputs, utm: utmOf(utm) };
  try {
    await idempotently((extraWrites) =>
      recordSubmission(form, submission, () => extraWrites(undefined)),
    );
  } catch (failure) {
    return failure instanceof ApiError ? busyAnswer(shown, request, failure) : raise(failure);
  }

  return thanks(shown, isJson);
}

function raise(failure: unknown): never {
  throw failure;
}

/** A page keeps its input. */
function busyAnswer(
  shown: ShownForm,
  { given, isJson }: SubmitRequest,
  failure: ApiError,
): HttpAnswer {
  const { statusCode, headers } = failure;

  return isJson
    ? raise(failure)
    : formPage(shown, {
        statusCode,
        headers,
        given,
        notice: 'We could not accept this right now. Wait a minute, then send it again',
      });
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function thanks(shown: ShownForm, isJson: boolean): HttpAnswer {
  const { redirectUrl } = shown.form;
  if (isJson) {
    return jsonAnswer(200, { success: true, message: thankYouText(shown.form) });
  }
  if (!redirectUrl) {
    return thankYouPage(shown);
  }
  const location = new URL(redirectUrl).href;

  return { statusCode: 303, headers: { location, 'content-type': 'text/html; charset=utf-8' } };
}

/**
 * Returns the page's id, if the page was opened within a day. The id determines the order among the
 * lead's activities.
 */
function submissionIdOf(given: GivenForm): string {
  const { data: id } = submissionId.safeParse(given[submissionIdName]);
  const ageMs = id ? now() - timeOfId(id) : Number.NaN;

  return id && ageMs >= 0 && ageMs <= dayMs ? id : newId();
}

function utmOf(query: UtmQuery): Utm {
  const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = query;
  const values = {
    source: utm_source,
    medium: utm_medium,
    campaign: utm_campaign,
    term: utm_term,
    content: utm_content,
  };

  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value = '']) => {
      const { data } = utmValue.safeParse(cutToLength(oneLine(value), maxLength.name));

      return data === undefined ? [] : [[name, data]];
    }),
  );
}
