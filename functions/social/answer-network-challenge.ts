import { endpoint } from '#lib/http/endpoint.ts';
import { answerChallenge } from '#lib/social/intake/answer-challenge.ts';
import { platformNamed } from '#lib/social/intake/receive-events.ts';
import { answerNetworkChallenge } from '#schemas/social-webhooks.ts';

export const handler = endpoint(answerNetworkChallenge, async ({ params, query }) => {
  const { status, contentType, body } = await answerChallenge(
    platformNamed(params.platform),
    query,
  );

  return { statusCode: status, headers: { 'content-type': contentType }, body };
});
