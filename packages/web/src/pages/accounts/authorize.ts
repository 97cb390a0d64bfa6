import { useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import { client, type Platform } from '../../service.ts';

type Consent = {
  readonly platform: Platform;
  /** Reconnects this account instead of connecting new ones. */
  readonly accountId?: string;
  /** Default: `publishing`. */
  readonly purpose?: 'publishing' | 'messaging';
};

/** Opens the network's page, which asks the person for access and then returns. */
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
