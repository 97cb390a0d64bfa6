import type { Item } from '../attribute-value.ts';
import { readUnits } from '../capacity.ts';
import { freeOfCharge } from '../costs.ts';
import { type BoundCondition, bindCondition } from '../expressions/bind-condition.ts';
import { bindProjection, type Projection } from '../expressions/bind-projection.ts';
import type { PlaceholderFields, Placeholders } from '../expressions/placeholders.ts';
import { itemSize } from '../item-size.ts';
import type { Answered } from '../operation.ts';
import type { StoredTable } from '../stored-table.ts';
import { invalid } from '../table-error.ts';
import { type IndexSchema, indexEntry, pickAttributes } from '../table-schema.ts';

/** The parameters that queries and scans share. */
export type PageFields = PlaceholderFields & {
  readonly TableName: string;
  readonly ConsistentRead?: boolean;
  readonly ExclusiveStartKey?: Item;
  readonly FilterExpression?: string;
  readonly Limit?: number;
  readonly ProjectionExpression?: string;
  readonly Select?: 'COUNT';
};

export type Selection = {
  readonly filter: BoundCondition;
  readonly projection: Projection;
  readonly limit: number;
};

const maxPageBytes = 1_024 * 1_024;

/** Checks the parameters that select and project items. */
export function bindSelection(fields: PageFields, placeholders: Placeholders): Selection {
  const { FilterExpression, ProjectionExpression, Limit, Select } = fields;
  if (Limit !== undefined && !(Number.isInteger(Limit) && Limit >= 1)) {
    throw invalid('Limit must be greater than or equal to 1');
  }
  if (Select && ProjectionExpression !== undefined) {
    throw invalid('Cannot specify the ProjectionExpression when choosing to get only the Count');
  }

  return {
    filter: bindCondition(FilterExpression, 'FilterExpression', placeholders),
    projection: bindProjection(ProjectionExpression, placeholders),
    limit: Limit ?? Number.POSITIVE_INFINITY,
  };
}

type Source = {
  readonly table: StoredTable;
  readonly index?: IndexSchema | undefined;
  /** The items in the order of the response, from its start position. */
  readonly items: Iterable<Item>;
  /** True if nothing can follow this item. */
  readonly isLast?: (item: Item) => boolean;
};

/** Evaluates items until a limit is reached. Items that the filter drops count, too. */
export function readPage(
  { table, index, items, isLast = () => false }: Source,
  { Select, ConsistentRead = false }: PageFields,
  { filter, projection, limit }: Selection,
): Answered {
  const found: Item[] = [];
  let count = 0;
  let scannedCount = 0;
  let bytes = 0;
  let last: Item | undefined;
  for (const whole of items) {
    const item = index ? (indexEntry(table.schema, index, whole) ?? whole) : whole;
    scannedCount += 1;
    bytes += itemSize(item);
    if (filter.holds(item)) {
      count += 1;
      if (!Select) {
        found.push(projection.project(item));
      }
    }
    if (scannedCount >= limit || bytes >= maxPageBytes) {
      last = isLast(item)
        ? undefined
        : pickAttributes(item, [...table.schema.keyNames, ...(index?.keyNames ?? [])]);
      break;
    }
  }
  const units = readUnits(bytes, ConsistentRead ? 'strong' : 'eventual');

  return {
    output: {
      ...(Select ? {} : { Items: found }),
      Count: count,
      ScannedCount: scannedCount,
      ...(last ? { LastEvaluatedKey: last } : {}),
    },
    costs: () => [{ ...freeOfCharge, table, readUnits: units }],
  };
}
