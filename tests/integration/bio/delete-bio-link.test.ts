import { describe, expect, test } from 'vitest';
import { storedItems } from '#tests/support/table.ts';
import { bioLinkSetup, clicksOf, followBioLink, newLink } from './setup.ts';

const world = await bioLinkSetup();

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
