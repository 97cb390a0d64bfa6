import { createBioLink } from '#lib/features/bio/bio-links.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

function newLink({ organizationId, names }: World) {
  return createBioLink(
    organizationId,
    { title: names[0] ?? '', url: 'https://example.com/' },
    nothingElse,
  );
}

const aLink: Fixtures[string] = {
  params: async (world) => ({ link_id: (await newLink(world)).id }),
};

export const bioFixtures: Fixtures = {
  updateBioLink: aLink,
  deleteBioLink: aLink,
  getBioLinkStats: aLink,
  getBioLinkQrCode: aLink,
  getBioPage: { params: async ({ organizationId }) => ({ organization_id: organizationId }) },
  followBioLink: { params: async (world) => ({ code: (await newLink(world)).shortCode }) },
};
