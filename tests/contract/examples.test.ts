import { describe, expect, it } from 'vitest';
import { savedReplies } from '#lib/features/ai/saved-replies.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { areaOf } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { operationOf } from '#scripts/build/generate/openapi/operation.ts';
import { successfulCall } from '#scripts/fixtures/fixtures.ts';
import { connectionBody } from '#scripts/fixtures/social-accounts.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { requestExamples } from '#tests/support/request-examples.ts';

liftRateLimits();
const shared = await newWorld();

/** Fields that contain the id of an existing resource, or a proof, in the caller's world. */
const isReal = /(id|ids|token|code|finish)$/i;

/** Returns the example with the ids from a successful call. Adds and removes nothing else. */
function withRealIds(example: unknown, real: unknown, name = ''): unknown {
  if (isReal.test(name) && sameKind(example, real)) {
    return real;
  }
  if (typeof example !== 'object' || example === null) {
    return example;
  }
  const at = (key: string | number) => (real as Record<string | number, unknown> | null)?.[key];

  return Array.isArray(example)
    ? example.map((element, index) => withRealIds(element, at(index), name))
    : Object.fromEntries(
        Object.entries(example).map(([key, value]) => [key, withRealIds(value, at(key), key)]),
      );
}

function sameKind(one: unknown, other: unknown): boolean {
  return (
    (typeof one === 'string' && typeof other === 'string') ||
    (Array.isArray(one) && Array.isArray(other))
  );
}

/** The ids of a variant, if they differ from those of the successful call. */
const ofVariants: Readonly<Record<string, (world: World) => Promise<object>>> = {
  'connectSocialAccount tiktok': async () => {
    const body = await connectionBody({ platform: 'TIKTOK' });
    const userId = body.platformUserId;

    return {
      ...body,
      businessToken: await sandbox.network('TIKTOK').issueBusinessToken({ userId }),
    };
  },
  'replyToConversation savedReply': async ({ organizationId }) => {
    const reply = { name: crypto.randomUUID(), text: 'Thank you' };

    return { savedReplyId: (await savedReplies.create(organizationId, reply, noExtraWrites)).id };
  },
};

const cases = endpoints
  .filter(({ body }) => body !== undefined)
  .flatMap((contract) =>
    requestExamples(operationOf(contract, { components: new Map(), missingExamples: [] })).map(
      (example) => ({
        ...example,
        contract,
        operationId: contract.operationId,
      }),
    ),
  );

describe('an example in the OpenAPI document', () => {
  it.each(cases)('is accepted with real ids: $operationId, $name', async (tested) => {
    const { contract, name, body, operationId } = tested;
    // Calls of these areas can end the session, the account or the organization.
    const isFresh = ['auth', 'organizations', 'billing', 'platform'].includes(areaOf(contract));
    const world = isFresh ? await newWorld() : shared;
    const call = await successfulCall(contract, world);
    const ofVariant = await ofVariants[`${operationId} ${name}`]?.(world);
    const sent = withRealIds(body, ofVariant ?? call.body);
    const answer = await probe(contract, { ...call, body: sent });

    // An earlier example may have used the same name or address.
    expect([contract.status ?? 200, 409], JSON.stringify([sent, answer.body])).toContain(
      answer.status,
    );
  });
});
