import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { areaOf, type Contract, kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { projectPath } from '#scripts/project.ts';

/**
 * Returns the file of the operation, and the file of its record type: `greetings` for
 * `listGreetings`.
 */
function testFilesOf(contract: Contract): readonly string[] {
  const recordTypes = endpoints
    .filter((other) => other.operationId.startsWith('list') && contract.path.startsWith(other.path))
    .map((list) => kebabCase(list.operationId).replace('list-', ''));

  return [kebabCase(contract.operationId), ...recordTypes].map(
    (name) => `tests/integration/${areaOf(contract)}/${name}.test.ts`,
  );
}

function mentions({ operationId }: Contract, file: string): boolean {
  const path = projectPath(file);

  return existsSync(path) && new RegExp(`\\b${operationId}\\b`).test(readFileSync(path, 'utf8'));
}

it('every operation has an integration test file of its name or record type that uses it', () => {
  const without = endpoints.filter(
    (contract) => !testFilesOf(contract).some((file) => mentions(contract, file)),
  );

  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});
