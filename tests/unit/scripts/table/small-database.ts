import definition from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { createTableInput } from '#scripts/dev/stack/create-table.ts';
import type { Item } from '#scripts/dev/table/attribute-value.ts';
import { createDatabase, type DatabaseOptions } from '#scripts/dev/table/database.ts';

export const TableName = 'small';

type Output = Readonly<Record<string, never>> & {
  readonly Item?: Item;
  readonly Items?: readonly Item[];
  readonly Attributes?: Item;
  readonly LastEvaluatedKey?: Item;
};

export type SmallDatabase = {
  readonly perform: (operation: string, request?: object) => Output;
  readonly removeExpired: () => void;
  readonly settle: () => void;
};

/** Returns a database with the service's table, which is the default table of requests. */
export function createSmallDatabase(options: DatabaseOptions = {}): SmallDatabase {
  const database = createDatabase(options);
  database.perform('CreateTable', createTableInput(TableName));
  database.perform('UpdateTimeToLive', {
    TableName,
    TimeToLiveSpecification: definition.TimeToLiveSpecification,
  });

  return {
    perform: (operation, request = {}) => {
      const names = /^(Batch|Transact|ListTables)/.test(operation) ? {} : { TableName };

      return database.perform(operation, { ...names, ...request }).output as Output;
    },
    removeExpired: database.removeExpired,
    settle: database.settle,
  };
}

export function keyOf(pk: string, sk = 's') {
  return { pk: { S: pk }, sk: { S: sk } };
}
