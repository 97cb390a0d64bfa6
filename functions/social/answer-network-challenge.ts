import { answerChallenge } from '#lib/features/intake/answer-challenge.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { platformNamed } from '#schemas/platform-path.ts';
import { answerNetworkChallenge } from '#schemas/social-webhooks.ts';

export const handler = endpoint(answerNetworkChallenge, async ({ params, query }) => {
  const { status, contentType, body } = await answerChallenge(
    platformNamed(params.platform),
    query,
  );

  return { statusCode: status, headers: { 'content-type': contentType }, body };
});
