import { config } from '#lib/platform/config.ts';
import { readBounded } from '#lib/platform/outbound/read-bounded.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import * as z from '#schemas/zod.ts';
import { ProbeError, request, requireAcceptedKey } from './reach.ts';

/** OpenAI's errors have a few hundred bytes; a compatible server may return a page. */
const maxErrorBytes = 100_000;
const errorBody = z.object({ error: z.object({ code: z.string() }) });

const reasons: Readonly<Record<string, string>> = {
  insufficient_quota: 'The account has no quota left',
  model_not_found: 'The model is not available to the account',
};

/**
 * Looks up the configured model with the service's key, which costs nothing. A compatible server
 * without this route still counts as available.
 *
 * OpenAI may report an exhausted quota only to completions. Those failures end as handovers, which
 * have an alarm of their own.
 */
export async function probeAi(signal: AbortSignal): Promise<void> {
  const { openaiApiKey } = await getSecrets();
  if (!openaiApiKey) {
    throw new ProbeError('The API key is missing');
  }
  const { baseUrl = 'https://api.openai.com/v1', model } = config.ai;
  const response = await request(`${baseUrl}/models/${encodeURIComponent(model)}`, signal, {
    authorization: `Bearer ${openaiApiKey}`,
  });
  requireAcceptedKey(response.status);
  const reason = reasons[await errorCodeOf(response)];
  if (reason) {
    throw new ProbeError(reason);
  }
}

/** Returns the code of an error response; empty for other responses. */
async function errorCodeOf({ ok, body }: Response): Promise<string> {
  if (ok || !body) {
    await body?.cancel();

    return '';
  }
  const text = await readBounded(body, maxErrorBytes);

  return errorBody.safeParse(parseJson(text)).data?.error.code ?? '';
}
