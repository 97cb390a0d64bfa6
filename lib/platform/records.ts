import type { ErrorCode } from '#schemas/errors.ts';
import type { QuotaName } from '#schemas/quotas.ts';
import { timestamp } from './clock.ts';
import { changesSomething } from './db/changes-something.ts';
import { equals } from './db/conditions.ts';
import { organizationKeys } from './db/keys/organizations.ts';
import { retryWhenOvertaken } from './db/retry-when-overtaken.ts';
import {
  type Attributes,
  applied,
  change,
  create,
  type ExtraWrites,
  type Requirement,
  remove,
  type Write,
  write,
} from './db/write.ts';
import { apiError } from './errors/failures.ts';
import { newId } from './ids.ts';
import { planQuotaRelease, planQuotaUse } from './quotas/quotas.ts';
import { type RecordKind, requireRecord, type SmallRecord } from './small-record.ts';

/** The fields that the record type's own code provides. */
type OwnFields<Item> = Omit<Item, Exclude<keyof SmallRecord, 'name'>>;

type Definition = {
  /** The name of the counter that the quota limits. */
  readonly counter: string;
  readonly quota: QuotaName;
  /** The error for a name that is taken. If set, names are unique. */
  readonly uniqueName?: readonly [code: ErrorCode, message: string];
  /** The condition for a removal. It replaces the check of the version that was read. */
  readonly removable?: Requirement;
};

type ChangeRules<Item> = {
  /** Throws if the patch is not allowed, even if it changes nothing. */
  readonly check?: (before: Item) => Promise<void> | void;
  /** Returns changes in addition to the patch, and the writes that belong to them. */
  readonly plan?: (before: Item) => Promise<PlannedChange> | PlannedChange;
};

type PlannedChange = { readonly set?: Attributes; readonly writes?: readonly Write[] };

const planNothing = (): readonly Write[] => [];

/**
 * Returns the operations that change one type of small records. An organization has few enough to
 * list them all, and a quota limits them. Changes check the version, and names are unique if the
 * type requires it. `alongside` returns writes for the same transaction.
 */
export function records<Item extends SmallRecord>(recordKind: RecordKind, definition: Definition) {
  const { resource, kind } = recordKind;
  const { counter, quota, uniqueName, removable } = definition;
  const counterOf = (organizationId: string) => organizationKeys.counter(organizationId, counter);

  function planClaim({ organizationId, id }: SmallRecord, name: string): readonly Write[] {
    if (!uniqueName) {
      return [];
    }
    const [code, message] = uniqueName;

    return [
      create(organizationKeys.nameClaim(organizationId, kind, name), { id }, () =>
        apiError(code, message),
      ),
    ];
  }

  function planRelease({ organizationId, id, name }: SmallRecord): readonly Write[] {
    return uniqueName
      ? [remove(organizationKeys.nameClaim(organizationId, kind, name), { when: equals('id', id) })]
      : [];
  }

  return {
    /** @throws 409 if the name is taken or the quota is exceeded. */
    async create(
      organizationId: string,
      fields: OwnFields<Item>,
      extraWrites: ExtraWrites<Item>,
      alongside: (item: Item) => readonly Write[] = planNothing,
    ): Promise<Item> {
      const now = timestamp();
      const own = { id: newId(), organizationId, version: 1, createdAt: now, updatedAt: now };
      const item = { ...fields, ...own } as unknown as Item;
      await write(
        ...(await extraWrites(item)),
        ...planClaim(item, item.name),
        create(organizationKeys.record(organizationId, kind, item.id), item),
        planQuotaUse(counterOf(organizationId), quota),
        ...alongside(item),
      );

      return item;
    },

    /** Writes nothing if the patch changes nothing. @throws 404; 409 if the name is taken. */
    update(
      organizationId: string,
      id: string,
      patch: Attributes & { readonly name?: string | null | undefined },
      { check, plan }: ChangeRules<Item> = {},
    ): Promise<Item> {
      return retryWhenOvertaken(resource, async () => {
        const before = await requireRecord<Item>(recordKind, organizationId, id);
        await check?.(before);
        if (!changesSomething(before, patch)) {
          return before;
        }
        const { set: others, writes = [] } = (await plan?.(before)) ?? {};
        const version = before.version + 1;
        const set = { ...patch, ...others, version, updatedAt: timestamp() };
        const name = patch.name ?? before.name;
        await write(
          change(organizationKeys.record(organizationId, kind, id), {
            set,
            when: equals('version', before.version),
          }),
          ...writes,
          ...(name === before.name ? [] : [...planRelease(before), ...planClaim(before, name)]),
        );

        return applied(before, set);
      });
    },

    /** @throws 404 */
    async remove(
      organizationId: string,
      id: string,
      alongside: (item: Item) => readonly Write[] = planNothing,
    ): Promise<void> {
      await retryWhenOvertaken(resource, async () => {
        const item = await requireRecord<Item>(recordKind, organizationId, id);
        await write(
          remove(
            organizationKeys.record(organizationId, kind, id),
            removable ?? { when: equals('version', item.version) },
          ),
          ...planRelease(item),
          planQuotaRelease(counterOf(organizationId)),
          ...alongside(item),
        );
      });
    },
  };
}
