import { describe, expect, test } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { overtake } from '#tests/support/overtake.ts';
import { storedItems } from '#tests/support/table.ts';
import { bioLinkSetup, clicksOf, followBioLink, newLink } from './setup.ts';

const world = await bioLinkSetup();

describe('deleting a link', () => {
  test.each(['switched off', 'deleted'])('counts a link once that is also %s', async (end) => {
    const { ada, ...own } = await bioLinkSetup();
    const link = await newLink(ada);
    const switchOff = () => own.updateBioLink(link, { isActive: false });
    const begin = end === 'deleted' ? () => own.deleteBioLink(link) : switchOff;
    await overtake({ begin }, switchOff);

    expect(await get(keys.counter(ada.organizationId, 'BIO_LINKS'))).toMatchObject({ active: 0 });
  });

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
