import { type BioLink, createBioLink } from '#lib/features/bio/bio-links.ts';
import { clickShards } from '#lib/features/bio/click-counters.ts';
import { prepareVisitors } from '#lib/features/bio/visitors.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { nothingElse, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import * as bio from '#schemas/bio.ts';
import type { Contract } from '#schemas/contract.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import type { World } from './world.ts';

const usualLinks = 10;
const browser = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1';

/** Creates an organization with a typical number of links and returns the newest link. */
async function linked(world: World): Promise<{ token: string; link: BioLink }> {
  const { token, organizationId } = await world.newAccount();
  const details = { title: 'Our new engines', url: 'https://example.com/engines' };
  for (let others = 1; others < usualLinks; others += 1) {
    await createBioLink(organizationId, details, nothingElse);
  }

  return { token, link: await createBioLink(organizationId, details, nothingElse) };
}

/** Returns a link's code on a day that already has a visitor. */
async function prepared(world: World): Promise<string> {
  await prepareVisitors();

  return (await linked(world)).link.shortCode;
}

function aboutLinks(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token, link } = await linked(world);
    const ids = { organization_id: link.organizationId, link_id: link.id };
    const wanted = Object.keys(contract.params?.shape ?? {});
    const params = Object.fromEntries(Object.entries(ids).filter(([id]) => wanted.includes(id)));

    return { ...call, token, params };
  });
}

export const bioScenes: Readonly<Record<string, Scene>> = {
  'create-bio-link': aboutLinks(bio.createBioLink, {
    body: { title: 'Our new engines', url: 'https://example.com/engines', utmSource: 'bio' },
  }),
  'list-bio-links': aboutLinks(bio.listBioLinks),
  'update-bio-link': aboutLinks(bio.updateBioLink, { body: { title: 'Our newest engines' } }),
  'delete-bio-link': aboutLinks(bio.deleteBioLink),
  'get-bio-link-stats': aboutLinks(bio.getBioLinkStats),
  'get-bio-link-qr-code': aboutLinks(bio.getBioLinkQrCode),
  'get-bio-page': aboutLinks(bio.getBioPage),
  'follow-bio-link': callOf(bio.followBioLink, async (world) => ({
    params: { code: await prepared(world) },
    headers: { 'user-agent': browser, referer: 'https://l.instagram.com/' },
  })),
  'bio-clicks': async (world) => {
    const { link } = await linked(world);
    const { organizationId, id } = link;
    const click = {
      organizationId,
      linkId: id,
      day: '2026-01-15',
      shard: 1 % clickShards,
      visitor: newId(),
      expiresAtSeconds: 4_000_000_000,
    };
    await world.queues.drain();
    const owner = keys.bioClicks(organizationId, id, click.shard);
    const work = planWork('bioClick', { owner, payload: click });
    await write(work);

    return world.queues.takeEvent('bio-clicks');
  },
};
