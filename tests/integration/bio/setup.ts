import * as bio from '#schemas/bio.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call, gatewayEvent, send } from '#tests/support/api.ts';

export const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

export type Link = Answer['body'];

export async function newLink(owner: Account, fields: object = {}): Promise<Link> {
  const answer = await call(bio.createBioLink, {
    params: { organization_id: owner.organizationId },
    token: owner.token,
    body: { title: 'Our new engines', url: 'https://example.com/engines', ...fields },
  });
  if (answer.status !== 201) {
    throw new Error(`The link was answered with ${answer.status}`);
  }

  return answer.body.bioLink;
}

type Visit = {
  readonly ip?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Opens a short link with a phone's user agent. */
export function followBioLink(
  { shortUrl }: Pick<Link, 'shortUrl'>,
  { ip = '203.0.113.1', method = 'GET', headers = {} }: Visit = {},
): Promise<Answer> {
  const code = String(shortUrl).split('/b/')[1] ?? '';
  const event = gatewayEvent(bio.followBioLink, {
    params: { code },
    headers: { 'user-agent': phone, ...headers },
    ip,
  });
  event.requestContext.http.method = method;

  return send(bio.followBioLink, event);
}

export async function listBioLinks(
  owner: Account,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer['body']> {
  const { body } = await call(bio.listBioLinks, {
    params: { organization_id: owner.organizationId },
    token: owner.token,
    query,
  });

  return body;
}

export async function clicksOf(owner: Account, { id }: Pick<Link, 'id'>): Promise<number> {
  const { bioLinks } = await listBioLinks(owner, { limit: '100' });

  return bioLinks.find((link: Link) => link.id === id)?.clickCount;
}

/** Creates an organization and changes its links. */
export async function bioLinkSetup() {
  const ada = await newAccount();

  function inPath({ id }: Pick<Link, 'id'>, { organizationId } = ada) {
    return { organization_id: organizationId, link_id: id };
  }

  function updateBioLink(link: Pick<Link, 'id'>, body: object, owner = ada) {
    return call(bio.updateBioLink, { params: inPath(link, owner), token: owner.token, body });
  }

  function deleteBioLink(link: Pick<Link, 'id'>, owner = ada) {
    return call(bio.deleteBioLink, { params: inPath(link, owner), token: owner.token });
  }

  return { ada, updateBioLink, deleteBioLink };
}

/** Creates an organization and reads the statistics of its links. */
export async function clickSetup() {
  const ada = await newAccount();

  async function getBioLinkStats({ id }: Link, query: Readonly<Record<string, string>> = {}) {
    const { status, body } = await call(bio.getBioLinkStats, {
      params: { organization_id: ada.organizationId, link_id: id },
      token: ada.token,
      query,
    });

    return status === 200 ? body.stats : body.message;
  }

  return { ada, getBioLinkStats };
}
