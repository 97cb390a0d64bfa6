import { dayMs, now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { readBounded } from '#lib/platform/outbound/read-bounded.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import { shutdownDateOf } from '#lib/vendors/openai/models.ts';
import * as z from '#schemas/zod.ts';
import { ProbeError, request, requireAcceptedKey } from './reach.ts';

/** OpenAI's bodies have a few hundred bytes. A compatible server may return a whole page. */
const maxBodyBytes = 100_000;
const errorBody = z.object({ error: z.object({ code: z.string() }) });
const modelBody = z.object({ shutdown_date: z.iso.date().nullish() });

const reasons: Readonly<Record<string, string>> = {
  insufficient_quota: 'The account has no quota left',
  model_not_found: 'The model is not available to the account',
};

/** Enough time to choose and try another model. */
const modelWarningMs = 60 * dayMs;

type AiFindings = {
  /** The announced shutdown date of the model, if there is one. */
  readonly modelEndsAt: string | null;
  readonly warning: string | undefined;
};

/**
 * Requests the configured model with the service's key, which costs nothing. A compatible server
 * without this route still counts as available. OpenAI reports the shutdown date of its models. If
 * it reports none, our own list is used.
 *
 * OpenAI may report an exhausted quota only for completions. Those failures end as handovers, which
 * have their own alarm.
 */
export async function probeAi(signal: AbortSignal): Promise<AiFindings> {
  const { openaiApiKey } = await getSecrets();
  if (!openaiApiKey) {
    throw new ProbeError('The API key is missing');
  }
  const { baseUrl = 'https://api.openai.com/v1', model } = config.ai;
  const response = await request(`${baseUrl}/models/${encodeURIComponent(model)}`, signal, {
    authorization: `Bearer ${openaiApiKey}`,
  });
  const body = response.body ? await readBounded(response.body, maxBodyBytes) : '';
  requireAcceptedKey(response.status);
  const answer = parseJson(body);
  const reason = reasons[errorBody.safeParse(answer).data?.error.code ?? ''];
  if (reason) {
    throw new ProbeError(reason);
  }
  const reported = modelBody.safeParse(answer).data?.shutdown_date;
  const modelEndsAt = reported ?? shutdownDateOf(model) ?? null;
  const isEnding = modelEndsAt !== null && Date.parse(modelEndsAt) - now() <= modelWarningMs;

  return {
    modelEndsAt,
    warning: isEnding ? `The model ${model} shuts down on ${modelEndsAt}` : undefined,
  };
}
