import { badRequest, signatureInvalid } from '#lib/platform/errors/failures.ts';
import {
  readSignedRequest,
  type SignedRequest,
} from '#lib/vendors/networks/meta/signed-request.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import type { Platform } from '#schemas/platforms.ts';

/**
 * Reads Meta's signed request from the form that Meta sends.
 *
 * @throws 400 without a request, 401 for a wrong signature or an old request.
 */
export async function requireSignedRequest(
  platform: Platform,
  rawBody: Buffer,
): Promise<SignedRequest> {
  const signedRequest = new URLSearchParams(rawBody.toString('utf8')).get('signed_request');
  if (!signedRequest) {
    throw badRequest('signed_request is required');
  }
  const request = await asAnswer(readSignedRequest(platform, signedRequest));
  if (!request) {
    throw signatureInvalid();
  }

  return request;
}
