import { describe, expect, test } from 'vitest';
import { createOrganization, getOrganization, listOrganizations } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

const ada = await newAccount();

function create(body: unknown) {
  return call(createOrganization, { body, token: ada.token });
}

describe('creating an organization', () => {
  test('makes the creator the OWNER and only member, and returns the trimmed input', async () => {
    const { status, body } = await create({
      name: '  Engines & Söhne ',
      description: 'Steam-powered calculating engines',
      website: ' https://engines.example/about?x=1 ',
      industry: ' Manufacturing ',
      size: ' 11-50 ',
    });

    expect(status).toBe(201);
    expect(body.message).toBe('Organization created successfully');
    expect(body.organization).toMatchObject({
      name: 'Engines & Söhne',
      description: 'Steam-powered calculating engines',
      website: 'https://engines.example/about?x=1',
      industry: 'Manufacturing',
      size: '11-50',
      memberCount: 1,
      role: 'OWNER',
    });
    expect(body.organization.createdAt).toBe(body.organization.updatedAt);
  });

  test('is in UTC unless a time zone is given', async () => {
    const { body: byDefault } = await create({ name: 'Engines' });
    const { body: given } = await create({ name: 'Engines', timezone: 'Asia/Tokyo' });

    expect([byDefault.organization.timezone, given.organization.timezone]).toEqual([
      'UTC',
      'Asia/Tokyo',
    ]);
  });

  test('rejects an unknown time zone', async () => {
    const { status, body } = await create({ name: 'Engines', timezone: 'Mars/Olympus' });

    expect(status).toBe(400);
    expect(body.message).toEqual(['timezone must be a valid time zone name']);
  });

  test.each([
    { name: 'Engines' },
    { name: 'Engines', description: null, website: null, industry: null, size: null },
  ])('stores omitted and null fields as null: %j', async (sent) => {
    const { body } = await create(sent);

    expect(body.organization).toMatchObject({
      description: null,
      website: null,
      industry: null,
      size: null,
    });
  });

  test.each([
    ['a name of 2 characters', { name: 'ab' }],
    ['a name of 100 characters', { name: 'n'.repeat(100) }],
    ['a name of 100 characters surrounded by whitespace', { name: ` ${'n'.repeat(100)} ` }],
    ['a description of 1,000 characters', { name: 'Engines', description: 'd'.repeat(1_000) }],
    ['an http website', { name: 'Engines', website: 'http://engines.example' }],
    [
      'a website of 2,048 characters',
      { name: 'Engines', website: `https://e.example/${'x'.repeat(2_030)}` },
    ],
  ])('accepts %s', async (_, sent) => {
    expect((await create(sent)).status).toBe(201);
  });

  test('lets only owners and admins invite by default', async () => {
    const { body } = await create({ name: 'Engines' });

    const read = await call(getOrganization, {
      params: { organization_id: body.organization.id },
      token: ada.token,
    });

    expect(read.body.organization.settings).toMatchObject({
      allowMemberInvites: false,
      requireApprovalForJoins: false,
      defaultRole: 'MEMBER',
      retentionDays: null,
    });
  });

  test('ignores fields that clients cannot set', async () => {
    const { body } = await create({
      name: 'Engines',
      id: '0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b',
      organizationId: '0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b',
      memberCount: 99,
      ownerCount: 99,
      role: 'VIEWER',
      createdAt: '2000-01-01T00:00:00.000Z',
      deletedAt: '2000-01-01T00:00:00.000Z',
      settings: { allowMemberInvites: true },
      pk: 'ORG#x',
      sk: 'ORG',
    });

    const { body: listed } = await call(listOrganizations, { token: ada.token });
    const found = listed.organizations.find(
      ({ id }: { id: string }) => id === body.organization.id,
    );
    expect(found).toMatchObject({ memberCount: 1, role: 'OWNER' });
    expect(body.organization.id).not.toBe('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
    expect(Date.parse(body.organization.createdAt)).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test('allows two organizations with the same name', async () => {
    const [first, second] = [await create({ name: 'Twins' }), await create({ name: 'Twins' })];

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.organization.id).not.toBe(second.body.organization.id);
  });
});

describe('invalid input', () => {
  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a null name', { name: null }, 'name'],
    ['a name that is not a string', { name: 12 }, 'name'],
    ['a name of one character', { name: 'a' }, 'name'],
    ['a name of one character plus whitespace', { name: '  a  ' }, 'name'],
    ['a name of only whitespace', { name: '     ' }, 'name'],
    ['a name of 101 characters', { name: 'n'.repeat(101) }, 'name'],
    ['a description of 1,001 characters', { description: 'd'.repeat(1_001) }, 'description'],
    ['a website that is not a URL', { website: 'engines.example' }, 'website'],
    ['a website with an ftp URL', { website: 'ftp://engines.example' }, 'website'],
    ['a website with a javascript URL', { website: 'javascript:alert(1)' }, 'website'],
    ['a website with a username', { website: 'https://ada@engines.example' }, 'website'],
    ['a website with a password', { website: 'https://ada:x@engines.example' }, 'website'],
    [
      'a website of 2,049 characters',
      { website: `https://e.example/${'x'.repeat(2_031)}` },
      'website',
    ],
    ['an industry of 101 characters', { industry: 'i'.repeat(101) }, 'industry'],
    ['an industry of only whitespace', { industry: '   ' }, 'industry'],
    ['a size of 51 characters', { size: 's'.repeat(51) }, 'size'],
  ])('returns 400 with the field for %s', async (_, sent, field) => {
    const { status, body } = await create({ name: 'Engines', ...sent });

    expect(status).toBe(400);
    expect(body.message).toEqual([expect.stringMatching(new RegExp(`^${field} `))]);
  });

  test('reports each invalid field once', async () => {
    const { body } = await create({ name: 'a', website: 'x', size: 's'.repeat(51) });

    expect(body.message.map((line: string) => line.split(' ')[0])).toEqual([
      'name',
      'website',
      'size',
    ]);
  });
});
