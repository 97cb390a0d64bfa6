import { describe, expect, test } from 'vitest';
import { createBioLink } from '#schemas/bio.ts';
import { call } from '#tests/support/api.ts';
import { bioLinkSetup, followBioLink, listBioLinks, newLink } from './setup.ts';

const world = await bioLinkSetup();

describe('updating a link', () => {
  test('rejects any short link as the target', async () => {
    const link = await newLink(world.ada);
    const message = ['url must not be a short link of this service'];
    const spelled = [
      link.shortUrl.toUpperCase().replace('/B/', '/b/'),
      link.shortUrl.replace('/b/', '/%62/'),
    ];
    for (const url of [link.shortUrl, `${link.shortUrl}?x=1`, ...spelled]) {
      expect(await world.updateBioLink(link, { url })).toMatchObject({
        status: 400,
        body: { message },
      });
      const body = { title: 'Round in a circle', url };
      const params = { organization_id: world.ada.organizationId };
      const made = await call(createBioLink, { params, token: world.ada.token, body });
      expect(made).toMatchObject({ status: 400, body: { message } });
    }

    expect((await followBioLink(link)).headers.location).toBe('https://example.com/engines');
  });

  test('changes only the given fields, and null clears a field', async () => {
    const link = await newLink(world.ada, {
      description: 'Old',
      buttonText: 'Go',
      utmSource: 'bio',
    });
    const { body } = await world.updateBioLink(link, {
      title: 'New',
      description: null,
      utmMedium: 'm',
    });

    expect(body.bioLink).toMatchObject({
      ...link,
      title: 'New',
      description: null,
      utmMedium: 'm',
      updatedAt: expect.any(String),
    });
    expect((await listBioLinks(world.ada)).bioLinks[0]).toEqual(body.bioLink);
  });

  test('takes effect on the short link immediately', async () => {
    const link = await newLink(world.ada);
    await world.updateBioLink(link, { url: 'https://example.com/other', utmSource: 'bio' });
    expect((await followBioLink(link)).headers.location).toBe(
      'https://example.com/other?utm_source=bio',
    );

    await world.updateBioLink(link, { isActive: false });
    expect((await followBioLink(link)).status).toBe(404);
    await world.updateBioLink(link, { isActive: true });
    expect((await followBioLink(link)).status).toBe(302);
  });

  test('changes nothing for an empty body', async () => {
    const link = await newLink(world.ada);
    expect((await world.updateBioLink(link, {})).body.bioLink).toEqual(link);
  });

  test('keeps all concurrent changes', async () => {
    const link = await newLink(world.ada);
    const changes = [
      { title: 'a' },
      { description: 'b' },
      { buttonText: 'c' },
      { utmSource: 'd' },
      { utmMedium: 'e' },
      { utmCampaign: 'f' },
    ];
    const answers = await Promise.all(changes.map((change) => world.updateBioLink(link, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));

    const [after] = (await listBioLinks(world.ada)).bioLinks;
    expect(after).toMatchObject(Object.assign({}, ...changes));
  });
});
