import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import {
  defaultOptInWords,
  defaultOptOutMessage,
  defaultOptOutWords,
} from '#schemas/consent-words.ts';
import {
  deleteOrganization,
  getOrganization,
  listAuditLog,
  updateOrganization,
} from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { organizationWith } from '#tests/support/organizations.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

// Many runs with several calls each, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const defaultConsent = {
  optOutWords: defaultOptOutWords,
  optInWords: defaultOptInWords,
  optOutMessage: defaultOptOutMessage,
  aiDisclosure: null,
};

let organizationId: string;

const full = {
  name: 'Engines',
  description: 'By steam',
  website: 'https://e.example',
  industry: 'Manufacturing',
  size: '11-50',
};

const ada = await newAccount();
const grace = await newAccount();

beforeEach(async () => {
  organizationId = await organizationWith(ada);
  await patch(full);
});

function patch(body: unknown, id = organizationId, { token } = ada) {
  return call(updateOrganization, { params: { organization_id: id }, body, token });
}

async function read(id = organizationId) {
  const { body } = await call(getOrganization, {
    params: { organization_id: id },
    token: ada.token,
  });

  return body.organization;
}

async function auditedChanges(): Promise<number> {
  const params = { organization_id: organizationId };
  const { body } = await call(listAuditLog, { params, token: ada.token });

  return body.pagination.total;
}

describe('updating an organization', () => {
  test.each(Object.keys(full))('changes only %s', async (field) => {
    const before = await read();
    const value = field === 'website' ? 'https://new.example' : 'new';

    const { status, body } = await patch({ [field]: value });

    expect(status).toBe(200);
    expect(body.organization[field]).toBe(value);
    expect(await read()).toEqual({
      ...before,
      [field]: value,
      updatedAt: body.organization.updatedAt,
    });
  });

  test.each(['description', 'website', 'industry', 'size'])(
    'clears %s with null',
    async (field) => {
      const { body } = await patch({ [field]: null });

      expect(body.organization).toMatchObject({ ...full, [field]: null });
      expect((await read())[field]).toBeNull();
    },
  );

  test('keeps an empty description as an empty string', async () => {
    expect((await patch({ description: '' })).body.organization.description).toBe('');
  });

  test.each([{}, { unknown: 'field' }, { settings: {} }])(
    'neither changes nor audits anything for the no-op update %j',
    async (nothing) => {
      const [before, audited] = [await read(), await auditedChanges()];

      const { status, body } = await patch(nothing);

      expect(status).toBe(200);
      expect(body.organization).toMatchObject(full);
      expect(await read()).toEqual(before);
      expect(await auditedChanges()).toBe(audited);
    },
  );

  test('merges settings with the existing ones', async () => {
    await patch({ settings: { allowMemberInvites: true } });
    await patch({ settings: { defaultRole: 'VIEWER' } });

    expect((await read()).settings).toMatchObject({
      allowMemberInvites: true,
      requireApprovalForJoins: false,
      defaultRole: 'VIEWER',
      ...defaultConsent,
      retentionDays: null,
    });
  });

  test('replaces the opt-out words and the disclosure, which null removes', async () => {
    const settings = {
      optOutWords: Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(50, 'w')),
      optInWords: [' Weiter '],
      optOutMessage: 'm'.repeat(500),
      aiDisclosure: 'd'.repeat(200),
    };
    const set = { ...settings, optInWords: ['Weiter'] };
    expect((await patch({ settings })).body.organization.settings).toMatchObject(set);
    await patch({ settings: { aiDisclosure: null } });
    expect((await read()).settings).toMatchObject({ ...set, aiDisclosure: null });
  });

  test('trims the name', async () => {
    expect((await patch({ name: '  Engines II  ' })).body.organization.name).toBe('Engines II');
  });

  test('ignores fields that clients cannot set', async () => {
    const before = await read();

    await patch({
      name: 'Engines',
      id: 'x',
      memberCount: 99,
      ownerCount: 99,
      deletedAt: '2000-01-01T00:00:00.000Z',
      createdAt: '2000-01-01T00:00:00.000Z',
      settings: { isAdmin: true },
      pk: 'ORG#x',
    });

    expect({ ...(await read()), updatedAt: before.updatedAt }).toEqual(before);
    const [record] = (await storedItems(keys.organization(organizationId).pk)).filter(
      ({ sk }) => sk === 'ORG',
    );
    expect(record).toMatchObject({ memberCount: 1, ownerCount: 1 });
    expect(record?.settings).not.toHaveProperty('isAdmin');
    expect(record).not.toHaveProperty('deletedAt');
  });
});

describe('invalid input', () => {
  test.each([
    ['a null name', { name: null }, 'name'],
    ['a name of one character', { name: ' a ' }, 'name'],
    ['a name of 101 characters', { name: 'n'.repeat(101) }, 'name'],
    ['a description of 1,001 characters', { description: 'd'.repeat(1_001) }, 'description'],
    ['a website with credentials', { website: 'https://a:b@e.example' }, 'website'],
    ['a website with a file URL', { website: 'file:///etc/passwd' }, 'website'],
    ['an industry of 101 characters', { industry: 'i'.repeat(101) }, 'industry'],
    ['a size of 51 characters', { size: 's'.repeat(51) }, 'size'],
    ['settings that are not an object', { settings: 'on' }, 'settings'],
    [
      'a setting of the wrong type',
      { settings: { allowMemberInvites: 'yes' } },
      'settings\\.allowMemberInvites',
    ],
    [
      'an unknown default role',
      { settings: { defaultRole: 'KING' } },
      'settings\\.defaultRole must be one of the following values: OWNER, ADMIN, MEMBER, VIEWER',
    ],
    ['no opt-out words', { settings: { optOutWords: [] } }, 'settings\\.optOutWords'],
    ['51 words', { settings: { optOutWords: Array(51).fill('w') } }, 'settings\\.optOutWords'],
    ['a blank word', { settings: { optInWords: ['a', ' '] } }, 'settings\\.optInWords\\.1'],
    ['a word of punctuation', { settings: { optInWords: ['!?'] } }, 'settings\\.optInWords\\.0'],
    [
      'a word of 51 characters',
      { settings: { optOutWords: ['w'.repeat(51)] } },
      'settings\\.optOutWords\\.0',
    ],
    ['a blank message', { settings: { optOutMessage: ' ' } }, 'settings\\.optOutMessage'],
    [
      'a message of 501 characters',
      { settings: { optOutMessage: 'm'.repeat(501) } },
      'settings\\.optOutMessage',
    ],
    [
      'a disclosure of 201 characters',
      { settings: { aiDisclosure: 'd'.repeat(201) } },
      'settings\\.aiDisclosure',
    ],
    ['a blank disclosure', { settings: { aiDisclosure: '' } }, 'settings\\.aiDisclosure'],
  ])('returns 400 and changes nothing for %s', async (_, body, beginning) => {
    const before = await read();

    const answer = await patch({ industry: 'Changed', ...body });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(new RegExp(`^${beginning}`))]);
    expect(await read()).toEqual(before);
  });
});

describe('concurrent updates', () => {
  test('keeps all of a hundred concurrent changes to different fields', async () => {
    const fields = ['name', 'description', 'industry', 'size'] as const;
    const rounds = 12;
    const switches = ['allowMemberInvites', 'requireApprovalForJoins'] as const;

    for (let round = 0; round < rounds; round += 1) {
      const isOn = round % 2 === 0;
      const bodies = [
        ...fields.map((field) => ({ [field]: `${field} ${round}` })),
        { website: `https://e.example/${round}` },
        ...switches.map((name) => ({ settings: { [name]: isOn } })),
        { settings: { defaultRole: isOn ? 'VIEWER' : 'ADMIN' } },
      ];
      const answers = await Promise.all(bodies.map((body) => patch(body)));

      expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
      expect(await read()).toMatchObject({
        ...Object.fromEntries(fields.map((field) => [field, `${field} ${round}`])),
        website: `https://e.example/${round}`,
        settings: {
          allowMemberInvites: isOn,
          requireApprovalForJoins: isOn,
          defaultRole: isOn ? 'VIEWER' : 'ADMIN',
        },
      });
    }
  });

  test('does not restore the organization when a concurrent deletion wins', async () => {
    const ids = await Promise.all(Array.from({ length: depth(5) }, () => organizationWith(ada)));

    await Promise.all(
      ids.flatMap((id) => [
        patch({ name: 'Still here' }, id),
        call(deleteOrganization, { params: { organization_id: id }, token: ada.token }),
        patch({ settings: { allowMemberInvites: true } }, id),
      ]),
    );
    await drainWork();
    await removeDeleted(...ids);

    const partitions = new Set(ids.map((id) => keys.organization(id).pk));
    expect((await storedItems()).filter(({ pk }) => partitions.has(pk))).toEqual([]);
  });
});

describe('access', () => {
  test.each([
    ['ADMIN', 200],
    ['MEMBER', 403],
    ['VIEWER', 403],
  ] as const)('answers %s with status %i', async (role, expected) => {
    const id = await organizationWith(ada, [[grace, role]]);

    const { status } = await patch({ name: 'By Grace' }, id, grace);

    expect(status).toBe(expected);
    expect((await read(id)).name === 'By Grace').toBe(expected === 200);
  });
});
