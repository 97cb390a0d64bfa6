import { beforeAll, describe, expect, test } from 'vitest';
import { storedItems } from '#tests/support/table.ts';
import { type BioLinkWorld, bioLinkWorld } from './bio-link-world.ts';
import { clicksOf, followBioLink, newLink } from './world.ts';

let world: BioLinkWorld;

beforeAll(async () => {
  world = await bioLinkWorld();
});

describe('deleting a link', () => {
  test('removes it from the list, its short URL and the table', async () => {
    const link = await newLink(world.ada);
    await followBioLink(link);
    expect((await world.deleteBioLink(link)).body.message).toBe('Bio link deleted successfully');

    expect((await followBioLink(link)).status).toBe(404);
    expect((await world.deleteBioLink(link)).status).toBe(404);
    expect(await clicksOf(world.ada, link)).toBeUndefined();
    const left = await storedItems(`ORG#${world.ada.organizationId}#BIO_CLICKS`);
    expect(left.filter(({ sk }) => sk.startsWith(link.id))).toEqual([]);
  });
});
