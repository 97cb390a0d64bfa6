import { answerChallenge } from '#lib/features/intake/answer-challenge.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { platformNamed } from '#schemas/platform-path.ts';
import { answerNetworkChallenge } from '#schemas/social-webhooks.ts';

export const handler = publicEndpoint(answerNetworkChallenge, async ({ params, query }) => {
  const { status, contentType, body } = await answerChallenge(
    platformNamed(params.platform),
    query,
  );

  return { statusCode: status, headers: { 'content-type': contentType }, body };
});
