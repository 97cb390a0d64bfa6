import { beforeAll, describe, expect, it } from 'vitest';
import tableDefinition from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { endpoints } from '#schemas/index.ts';
import { fixtures, successfulCall } from '#scripts/fixtures/fixtures.ts';
import { newSession, type World } from '#scripts/fixtures/world.ts';
import { secretsHeard } from '#tests/support/log-book.ts';
import { callWithHardTexts, textContracts } from '#tests/support/registry/hard-texts.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { expectCommonHeaders, expectNoSecrets, probe } from '#tests/support/registry/probe.ts';
import { problemsOfSendingBack } from '#tests/support/registry/sent-back.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { storedItems } from '#tests/support/table.ts';

/** All indexes except the one for due work. */
const listIndexes = tableDefinition.GlobalSecondaryIndexes.filter(
  ({ IndexName }) => IndexName !== 'due',
);

/** The kinds of records in each index (docs/data-model.md). */
const listed: Readonly<Record<string, readonly string[]>> = {
  list: ['lead', 'contact', 'import', 'conversation', 'post', 'deletedPost'],
  byPipeline: ['lead'],
  byStatus: ['lead', 'conversation'],
  byStage: ['lead'],
  bySource: ['lead'],
  byAssignee: ['lead'],
  bySocialAccount: ['lead', 'conversation'],
  byContentPost: ['lead'],
  byCampaign: ['lead', 'conversation'],
  byConversation: ['lead'],
  byChannel: ['conversation'],
  byWaiting: ['conversation'],
  byRank: ['lead', 'conversation'],
};

/** Reads share this world, because they do not change it. */
let readWorld: World;

beforeAll(async () => {
  liftRateLimits();
  readWorld = await newWorld();
});

/** Runs before the reads, so that these return the unusual texts. */
describe('unusual texts', () => {
  it.each(textContracts)('are accepted by $operationId', async (textContract) => {
    const { OWNER } = readWorld.people;
    // Some calls end their session.
    const session = await newSession(OWNER.userId, readWorld.organizationId);
    readWorld = {
      ...readWorld,
      people: { ...readWorld.people, OWNER: { ...OWNER, ...session } },
    };
    const answer = await callWithHardTexts(textContract, readWorld);

    expect(answer.status, JSON.stringify(answer.body)).toBe(textContract.contract.status ?? 200);
  });
});

describe('every endpoint', () => {
  it.each(endpoints)(
    '$operationId succeeds with its example and its entry in scripts/fixtures',
    async (contract) => {
      const world = contract.method === 'GET' ? readWorld : await newWorld();
      const answer = await probe(contract, await successfulCall(contract, world));

      expect(answer.body).not.toHaveProperty('error');
      expect(answer.status).toBe(contract.status ?? 200);
      expectCommonHeaders(contract, answer);
      expectNoSecrets(contract, answer);
      expect(problemsOfSendingBack(contract, answer)).toEqual([]);
    },
  );

  it('stores passwords, tokens and secrets only hashed or encrypted', async () => {
    const table = JSON.stringify(await storedItems());
    const secrets = [...secretsHeard()];

    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => table.includes(secret))).toEqual([]);
  });

  it('stores no item that an index would include in another list', async () => {
    const items = await storedItems();
    const strays = listIndexes.flatMap(({ IndexName, KeySchema }) =>
      items
        .filter((item) => KeySchema.every(({ AttributeName }) => item[AttributeName] !== undefined))
        .filter(({ list }) => !listed[IndexName]?.includes(String(list).split('#')[0] ?? ''))
        .map(({ pk, sk }) => `${IndexName}: ${pk} ${sk}`),
    );

    expect(strays).toEqual([]);
  });

  it('has fixtures only for existing operations', () => {
    const known = new Set(endpoints.map(({ operationId }) => operationId));

    expect(Object.keys(fixtures).filter((operationId) => !known.has(operationId))).toEqual([]);
  });
});
