import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dueShards } from '#lib/platform/db/keys/system.ts';
import { keys } from '#lib/platform/db/keys.ts';
import table from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { projectPath } from '#scripts/project.ts';

const documentAt = (path: string) => readFileSync(projectPath(path), 'utf8');
const listIndexes = table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).filter(
  (name) => name !== 'due',
);

describe('the documents', () => {
  it('list every index of the table', () => {
    const dataModel = documentAt('docs/data-model.md');

    expect(listIndexes).toHaveLength(13);
    expect(dataModel).toContain('`list` and twelve more');
    expect(dataModel).toContain('Thirteen indexes list them');
    for (const name of listIndexes) {
      expect(dataModel).toContain(`\`${name}\``);
    }
  });

  it.each(registry.workers)('list the worker $name', ({ name }) => {
    const row = `\`${name}\``;

    expect(documentAt('docs/architecture.md'), 'Add it to "Background work"').toContain(row);
    expect(documentAt('docs/operations.md'), 'Add it to "Workers and jobs"').toContain(row);
  });

  it('give the sum of concurrent workers', () => {
    const sum = deployedFunctions(registry)
      .map(({ event }) => (event.kind === 'queue' ? event.maxConcurrency : 0))
      .reduce((total, one) => total + one, 0);
    const operations = documentAt('docs/operations.md');

    expect(operations).toContain(`Workers take up to ${sum};`);
    expect(operations).toContain(`: ${sum} in total (\`maxConcurrency\``);
  });

  it('give the limit of due work per run', () => {
    const sweep = documentAt('lib/platform/work/sweep-due-work.ts');

    expect(sweep).toContain('const batchSize = 1_000;');
    expect(documentAt('docs/operations.md')).toContain(
      '| due work | 1,000 pieces per minute for all organizations',
    );
  });

  it('give the number of shards of the due index', () => {
    expect(documentAt('docs/data-model.md')).toContain(
      `\`due\` has ${dueShards} partitions per queue, such as \`DUE#0\` to \`DUE#${dueShards - 1}\``,
    );
    expect(documentAt('docs/decisions/0004-outbox-and-work.md')).toContain(
      `has ${dueShards} shards per queue`,
    );
  });

  it('say in privacy.md for every kind of item what it contains about people', () => {
    const [, table = ''] = documentAt('docs/privacy.md').split('## What is stored\n');
    const named = table
      .split('\n')
      .map((row) => row.split('|')[2] ?? '')
      .flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

    expect(named.toSorted()).toEqual(Object.keys(keys).toSorted());
  });
});
