import type { Item } from '../attribute-value.ts';
import { indexWriteUnits, readUnits, writeUnits } from '../capacity.ts';
import { type Cost, freeOfCharge } from '../costs.ts';
import { type BoundCondition, bindCondition } from '../expressions/bind-condition.ts';
import { bindUpdate } from '../expressions/bind-update.ts';
import { type PlaceholderFields, Placeholders } from '../expressions/placeholders.ts';
import { checkedKey, checkedNewItem, keyOf, requireStorable } from '../item-checks.ts';
import { itemSize } from '../item-size.ts';
import type { ItemChange } from '../operation.ts';
import type { StoredTable } from '../stored-table.ts';
import { TableError } from '../table-error.ts';

export type ConditionalFields = PlaceholderFields & {
  readonly TableName: string;
  readonly ConditionExpression?: string;
  readonly ReturnValuesOnConditionCheckFailure?: 'NONE' | 'ALL_OLD';
};

export type PutFields = ConditionalFields & { readonly Item: Item };

export type KeyFields = ConditionalFields & { readonly Key: Item };

export type UpdateFields = KeyFields & { readonly UpdateExpression?: string };

/** A write whose request was checked, regardless of the stored item. */
export type PreparedWrite = {
  readonly table: StoredTable;
  readonly key: Item;
  /** The new item of a put. */
  readonly item?: Item;
  /** Throws if the condition fails or the result can't be stored. Changes nothing. */
  readonly plan: () => ItemChange;
};

type Draft = Pick<PreparedWrite, 'table' | 'key' | 'item'> & {
  readonly fields: ConditionalFields;
  readonly condition: BoundCondition;
  readonly after: (before: Item | undefined) => Item | undefined;
};

export function preparePut(table: StoredTable, fields: PutFields): PreparedWrite {
  const item = checkedNewItem(table, fields.Item);
  const condition = bindOnlyCondition(fields);

  return prepare({ table, key: keyOf(table, item), item, fields, condition, after: () => item });
}

export function prepareDelete(table: StoredTable, fields: KeyFields): PreparedWrite {
  const key = checkedKey(table, fields.Key);
  const condition = bindOnlyCondition(fields);

  return prepare({ table, key, fields, condition, after: () => undefined });
}

/** Tests a condition and leaves the item as it is. */
export function prepareCheck(table: StoredTable, fields: KeyFields): PreparedWrite {
  const key = checkedKey(table, fields.Key);
  const condition = bindOnlyCondition(fields);

  return prepare({ table, key, fields, condition, after: (before) => before });
}

export function prepareUpdate(table: StoredTable, fields: UpdateFields): PreparedWrite {
  const { ConditionExpression, UpdateExpression } = fields;
  const key = checkedKey(table, fields.Key);
  const placeholders = new Placeholders(
    fields,
    (ConditionExpression ?? UpdateExpression) !== undefined,
  );
  const condition = bindCondition(ConditionExpression, 'ConditionExpression', placeholders);
  const update =
    UpdateExpression === undefined
      ? (item: Item) => item
      : bindUpdate(UpdateExpression, placeholders, table.schema.keyNames);
  placeholders.requireAllUsed();

  return prepare({
    table,
    key,
    fields,
    condition,
    after: (before) => {
      const item = update(before ?? key);
      requireStorable(table, item);

      return item;
    },
  });
}

function bindOnlyCondition(fields: ConditionalFields): BoundCondition {
  const { ConditionExpression } = fields;
  const placeholders = new Placeholders(fields, ConditionExpression !== undefined);
  const condition = bindCondition(ConditionExpression, 'ConditionExpression', placeholders);
  placeholders.requireAllUsed();

  return condition;
}

function prepare({ fields, condition, after, ...target }: Draft): PreparedWrite {
  const { table, key } = target;

  return {
    ...target,
    plan: () => {
      const before = table.get(key);
      if (!condition.holds(before)) {
        throw conditionFailed(target, fields, before);
      }

      return { table, key, before, after: after(before) };
    },
  };
}

type Target = Omit<PreparedWrite, 'plan'>;

function conditionFailed(
  target: Target,
  { ReturnValuesOnConditionCheckFailure }: ConditionalFields,
  stored: Item | undefined,
): TableError {
  const returnsItem = ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && stored;

  return new TableError(
    'ConditionalCheckFailedException',
    'The conditional request failed',
    returnsItem ? { Item: stored } : {},
    () => [failedCost(target)],
  );
}

/**
 * Returns the cost of a write. Transactions double the table's share, and checks count as writes.
 */
export function writeCost({ table, before, after }: ItemChange, factor: 1 | 2 = 1): Cost {
  return {
    table,
    readUnits: 0,
    writeUnits: factor * writeUnits(Math.max(itemSize(before), itemSize(after))),
    indexWriteUnits: indexWriteUnits(table.schema, before, after),
  };
}

/** Returns the cost of a write that was not applied: the cost of the larger item, stored or new. */
export function failedCost({ table, key, item }: Target, factor: 1 | 2 = 1): Cost {
  const bytes = Math.max(itemSize(table.get(key)), itemSize(item));

  return { ...freeOfCharge, table, writeUnits: factor * writeUnits(bytes) };
}

/** Returns the cost of an item in a transaction that is repeated with the same token. */
export function repeatedCost({ table, key }: PreparedWrite): Cost {
  const units = readUnits(itemSize(table.get(key)), 'transactional');

  return { ...freeOfCharge, table, readUnits: units };
}
