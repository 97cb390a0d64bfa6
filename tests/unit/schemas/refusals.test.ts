import { expect, it } from 'vitest';
import { areaOf } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';

const ownWords: ReadonlySet<string> = new Set(['organizations', 'billing']);

it('the message for an insufficient role is the same everywhere, except for organizations and billing', () => {
  const refusals = endpoints.flatMap(({ access, operationId, ...contract }) =>
    access.kind === 'member' && !ownWords.has(areaOf(contract))
      ? [{ operationId, refusal: access.refusal }]
      : [],
  );

  expect(
    refusals.filter(({ refusal }) => refusal !== 'Insufficient permissions for this operation'),
  ).toEqual([]);
});
