import { config } from '#lib/platform/config.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { maxConnections } from '#schemas/social-oauth.ts';
import { connectChoices } from './connect-choices.ts';
import { findLinkByToken } from './connect-links.ts';
import { linkGonePage } from './connect-page.ts';
import { endPage, findSessionOf, isKnown, redirectTo } from './visit-connect-link.ts';

/**
 * Connects the accounts that a person chose on a link's page, and redirects to the page with the
 * result, so that reloading it sends nothing again.
 */
export async function submitConnectForm(
  token: string,
  form: URLSearchParams,
  requestId: string,
): Promise<HttpAnswer> {
  const found = await findLinkByToken(token);
  if (!isKnown(found)) {
    return endPage(found);
  }
  const back = (query: Readonly<Record<string, string>>) =>
    redirectTo(`${config.publicBaseUrl}/connect/${token}?${new URLSearchParams(query)}`);
  const session = await findSessionOf(found.link, form.get('session'));
  if (!session) {
    return found.state === 'used' ? linkGonePage() : back({ session: 'expired' });
  }
  const here = { session: session.id };
  const offered = new Set(session.choices?.map(({ platformUserId }) => platformUserId));
  const platformUserIds = [...new Set(form.getAll('account'))].filter((id) => offered.has(id));
  if (session.status !== 'READY') {
    return back(here);
  }
  if (platformUserIds.length === 0 || platformUserIds.length > maxConnections) {
    return back({ ...here, problem: platformUserIds.length === 0 ? 'none' : 'many' });
  }
  const { failures } = await connectChoices(session, {
    connector: { connectLinkId: found.link.id },
    platformUserIds,
    requestId,
  });
  await writeIfMet(
    change(socialKeys.oauthSession(session.organizationId, session.id), { set: { failures } }),
  );

  return back(here);
}
