import * as bio from '#schemas/bio.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import type { Link } from './world.ts';

export type ClickWorld = Awaited<ReturnType<typeof clickWorld>>;

/** Creates an organization and reads the statistics of its links. */
export async function clickWorld() {
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
