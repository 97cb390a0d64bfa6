import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Contract, kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { projectPath } from '#scripts/project.ts';

function testFileOf({ area, operationId }: Contract): string {
  return `tests/integration/${area}/${kebabCase(operationId)}.test.ts`;
}

function mentions({ operationId }: Contract, path: string): boolean {
  return new RegExp(`\\b${operationId}\\b`).test(readFileSync(projectPath(path), 'utf8'));
}

it('every operation has an integration test file of its name that uses it', () => {
  const without = endpoints.filter((contract) => {
    const path = testFileOf(contract);

    return !(existsSync(projectPath(path)) && mentions(contract, path));
  });

  expect(without.map(testFileOf)).toEqual([]);
});
