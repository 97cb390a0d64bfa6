import OpenAI from 'openai';
import { config } from '#lib/platform/config.ts';
import { upstream } from '#lib/platform/errors/failures.ts';
import { readBounded } from '#lib/platform/outbound/read-bounded.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';

type Client = {
  readonly key: string;
  readonly baseUrl: string | undefined;
  readonly openai: OpenAI;
};

let client: Client | undefined;

/** @throws 502 if there is no key. */
export async function connect(): Promise<OpenAI> {
  const { openaiApiKey } = await getSecrets();
  if (!openaiApiKey) {
    throw upstream('ai', new Error('The secret has no key of the AI service'));
  }
  const { baseUrl } = config.ai;
  if (client?.key !== openaiApiKey || client.baseUrl !== baseUrl) {
    const openai = new OpenAI({
      apiKey: openaiApiKey,
      maxRetries: 0,
      fetch: fetchBounded,
      ...(baseUrl ? { baseURL: baseUrl } : {}),
    });
    client = { key: openaiApiKey, baseUrl, openai };
  }

  return client.openai;
}

/** Answers have a few kilobytes. A batch of embeddings has up to two megabytes. */
const maxAnswerBytes = 4_000_000;

/** Like `fetch`, but fails if the response is too large. */
async function fetchBounded(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { body } = response;

  return new Response(body && (await readBounded(body, maxAnswerBytes)), response);
}

/**
 * Organizations whose calls timed out since the last success. From two organizations on, timeouts
 * count as an outage.
 */
const timedOutFor = new Set<string>();

export function forgetTimeouts(): void {
  timedOutFor.clear();
}

/**
 * True for no response, an invalid response, or a 5xx. Timeouts of a single organization may be
 * caused by its prompts. They are not an outage, so that they don't stop the replies of other
 * organizations.
 */
export function isOutage(failure: unknown, organizationId: string): boolean | undefined {
  if (failure instanceof OpenAI.APIError && failure.status) {
    return failure.status >= 500;
  }
  if (!isTimeout(failure)) {
    return true;
  }
  if (timedOutFor.size < 2) {
    timedOutFor.add(organizationId);
  }

  return timedOutFor.size > 1 ? true : undefined;
}

function isTimeout(failure: unknown): boolean {
  return (
    failure instanceof OpenAI.APIConnectionTimeoutError ||
    failure instanceof OpenAI.APIUserAbortError ||
    (failure instanceof Error && failure.name === 'TimeoutError')
  );
}
