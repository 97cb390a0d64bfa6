import type { Contract } from '#schemas/contract.ts';
import type { MetaPlatform } from '#schemas/platforms.ts';
import { type Answer, call } from './api.ts';
import { sandbox } from './mails.ts';

/** Returns the form that Meta signs for a person. */
export async function signedRequest(platform: MetaPlatform, personId: string) {
  const kind = 'data-deletion';
  const request = { personId, kind, deliver: false } as const;

  return (await sandbox.network(platform).sendSignedRequest(request)).delivery;
}

/** Delivers a form, by default the one that Meta signs for the person. */
export async function deliverSigned(
  contract: Contract,
  platform: MetaPlatform,
  personId: string,
  change: (body: string) => string = (body) => body,
): Promise<Answer> {
  const { headers, body } = await signedRequest(platform, personId);
  const params = { platform: platform.toLowerCase() };

  return call(contract, { params, headers, body: change(body) });
}
