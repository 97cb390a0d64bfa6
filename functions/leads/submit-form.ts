import { isJson, readSubmission } from '#lib/features/forms/read-submission.ts';
import { findShownForm } from '#lib/features/forms/show-form.ts';
import { submitForm } from '#lib/features/forms/submit-form.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { consume, rateLimitError } from '#lib/platform/rate-limits/rate-limiter.ts';
import * as contracts from '#schemas/forms.ts';

export const handler = endpoint(contracts.submitForm, async (request) => {
  const { event, params, query, clientIp, reply, idempotently } = request;
  const given = readSubmission(event);
  const [limit, shown] = await Promise.all([
    consume('formSubmissions', clientIp),
    findShownForm(params.code, query),
  ]);
  reply.rateLimits([limit]);

  return submitForm(shown, {
    given,
    utm: query,
    isJson: isJson(event),
    refusal: rateLimitError([limit]),
    idempotently,
  });
});
