import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import table from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { projectPath } from '#scripts/project.ts';

const documentAt = (path: string) => readFileSync(projectPath(path), 'utf8');
const listIndexes = table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).filter(
  (name) => name !== 'due',
);

describe('the documents', () => {
  it('list every index of the table', () => {
    const dataModel = documentAt('docs/data-model.md');

    expect(listIndexes).toHaveLength(14);
    expect(dataModel).toContain('`list` and thirteen more');
    expect(dataModel).toContain('Fourteen indexes list them');
    for (const name of listIndexes) {
      expect(dataModel).toContain(`\`${name}\``);
    }
  });

  it('give the limit of due work per run', () => {
    const sweep = documentAt('lib/platform/work/sweep-due-work.ts');

    expect(sweep).toContain('const batchPerShard = 250;');
    expect(documentAt('docs/operations.md')).toMatch(
      /\| due work \| 1,000 pieces per minute for all organizations: 250 from each/,
    );
  });
});
