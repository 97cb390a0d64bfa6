import * as bio from '#schemas/bio.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import type { Link } from './world.ts';

export type BioLinkWorld = Awaited<ReturnType<typeof bioLinkWorld>>;

/** Creates an organization and changes its links. */
export async function bioLinkWorld() {
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
