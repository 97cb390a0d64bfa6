import { type Answered, requireTable, type Store } from '../operation.ts';
import type { StoredTable, TableDefinition } from '../stored-table.ts';
import { invalid, TableError } from '../table-error.ts';

type TableRequest = { readonly TableName: string };

type TimeToLiveRequest = TableRequest & {
  readonly TimeToLiveSpecification: {
    readonly Enabled: boolean;
    readonly AttributeName: string;
  };
};

export function createTable(store: Store, definition: TableDefinition): Answered {
  const { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [] } = definition;
  if (store.tables.has(TableName)) {
    throw new TableError('ResourceInUseException', `Table already exists: ${TableName}`);
  }
  if (!/^[\w.-]{3,255}$/.test(TableName)) {
    throw invalid(
      'TableName must be at least 3 characters long and at most 255 characters long, and may contain only the characters a-z, A-Z, 0-9, _, -, and .',
    );
  }
  const defined = AttributeDefinitions.map(({ AttributeName }) => AttributeName);
  const keys = new Set(
    [KeySchema, ...GlobalSecondaryIndexes.map((index) => index.KeySchema)]
      .flat()
      .map(({ AttributeName }) => AttributeName),
  );
  if (defined.length !== keys.size || !defined.every((name) => keys.has(name))) {
    throw invalid(
      'One or more parameter values were invalid: The attributes of all keys must be defined in AttributeDefinitions, and no others',
    );
  }
  const table = store.create(definition);

  return answer({ TableDescription: describe(table) });
}

export function deleteTable(store: Store, { TableName }: TableRequest): Answered {
  const table = requireTable(store, TableName);
  store.drop(TableName);

  return answer({ TableDescription: { ...describe(table), TableStatus: 'DELETING' } });
}

export function describeTable(store: Store, { TableName }: TableRequest): Answered {
  return answer({ Table: describe(requireTable(store, TableName)) });
}

export function listTables({ tables }: Store): Answered {
  return answer({ TableNames: [...tables.keys()].sort() });
}

export function updateTimeToLive(store: Store, request: TimeToLiveRequest): Answered {
  const table = requireTable(store, request.TableName);
  const { Enabled, AttributeName } = request.TimeToLiveSpecification;
  if (Enabled === (table.timeToLiveName !== undefined)) {
    throw invalid(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
  }
  store.setTimeToLive(table, Enabled ? AttributeName : undefined);

  return answer({ TimeToLiveSpecification: request.TimeToLiveSpecification });
}

export function describeTimeToLive(store: Store, { TableName }: TableRequest): Answered {
  const { timeToLiveName: AttributeName } = requireTable(store, TableName);

  return answer({
    TimeToLiveDescription:
      AttributeName === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName },
  });
}

function answer(output: Answered['output']): Answered {
  return { output, costs: () => [] };
}

function describe({ definition }: StoredTable) {
  const { GlobalSecondaryIndexes: indexes, ...own } = definition;
  const TableStatus = 'ACTIVE';

  return {
    ...own,
    TableStatus,
    ...(indexes && {
      GlobalSecondaryIndexes: indexes.map((index) => ({ ...index, IndexStatus: TableStatus })),
    }),
  };
}
