import { useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import { client, type Platform } from '../../service.ts';

type Consent = {
  readonly platform: Platform;
  /** Connects this account again, instead of new ones. */
  readonly accountId?: string;
  /** Default: `publishing`. */
  readonly purpose?: 'publishing' | 'messaging';
};

/** Leads to the network's page, which asks the person to allow access and leads back. */
export function useAuthorize() {
  const { id: organizationId } = useMembership();

  return useSend(async (consent: Consent, options) => {
    const { authorizationUrl } = await client.social.startOauth(
      { organizationId, ...consent },
      options,
    );
    location.assign(authorizationUrl);
  });
}
