import fc from 'fast-check';
import type { Contract, Role } from '#schemas/contract.ts';
import { roles } from '#schemas/contract.ts';
import { type Field, fieldsOf, valueAt, withValue } from '#scripts/fixtures/fields.ts';
import type { Body, Values } from '#scripts/fixtures/fixture.ts';
import { bodyOf, paramsOf, unknownParams } from '#scripts/fixtures/fixtures.ts';
import type { World } from '#scripts/fixtures/world.ts';
import type { CallInput } from '#tests/support/api.ts';

/** Ways in which a member of one organization can try to reach another organization's data. */
const attackKinds = [
  'the organization in the path',
  'the organization in the header',
  'a thing in the path',
  'an id in the body',
  'an id in the query',
] as const;

export type AttackKind = (typeof attackKinds)[number];

/** An endpoint with the inputs of its calls, in the attacker's world and in the victim's world. */
export type Target = {
  readonly contract: Contract;
  readonly kinds: readonly AttackKind[];
  readonly own: { readonly params: Values; readonly body: Body | undefined };
  readonly theirs: {
    readonly params: Values;
    readonly body: Body | undefined;
    /** The victim's ids by field name. */
    readonly things: Values;
  };
};

export type Attack = {
  readonly target: Target;
  readonly kind: AttackKind;
  readonly role: Role;
  /** Selects one of several ids. */
  readonly index: number;
};

/**
 * These look like ids, but the caller or a network chooses them, or all organizations share them.
 * No endpoint creates a `groupId` yet.
 */
const notTenantIds = /(^|\.)(testId|planId|openId|groupId)$/;

function containsTenantId({ path, schema }: Field): boolean {
  return (schema.format === 'uuid' || /Ids?(\.0)?$/.test(path)) && !notTenantIds.test(path);
}

/** Other parameters are names that all organizations share, such as parts of the service. */
export function namesATenantsThing(parameter: string): boolean {
  return parameter.endsWith('_id') && parameter !== 'organization_id';
}

/** Returns the fields that contain ids of tenants' resources. */
export function idFields(schema: Contract['body']): readonly Field[] {
  return schema
    ? fieldsOf(schema).filter(
        (field) => field.kind === 'string' && containsTenantId(field) && !isOfFilter(field),
      )
    : [];
}

/** The filter of a segment may contain ids that do not exist. See get-segment.test.ts. */
function isOfFilter({ keys: [first] }: Field): boolean {
  return first === 'filter';
}

function kindsOf(contract: Contract): readonly AttackKind[] {
  const { access, params } = contract;
  const inPath = Object.keys(params?.shape ?? {});
  const isMember = access.kind === 'member';
  const hearsHeader = access.kind !== 'public' && access.organization !== undefined;
  const possible: Record<AttackKind, boolean> = {
    'the organization in the path': isMember && access.organization === 'path',
    'the organization in the header': hearsHeader && access.organization !== 'path',
    'a thing in the path': inPath.some(namesATenantsThing),
    'an id in the body': idFields(contract.body).length > 0,
    'an id in the query': idFields(contract.query).length > 0,
  };

  return attackKinds.filter((kind) => possible[kind]);
}

/**
 * Prepares the attack inputs for an endpoint. The victim has all resources that the call could
 * refer to, and the attacker's own part of the call exists.
 */
export async function targetOf(
  contract: Contract,
  attacker: World,
  victim: World,
  things: Values,
): Promise<Target> {
  const namesThings = Object.keys(contract.params?.shape ?? {}).some(namesATenantsThing);
  const [theirParams, theirBody, ownParams, ownBody] = await Promise.all([
    paramsOf(contract, victim),
    bodyOf(contract, victim),
    namesThings ? paramsOf(contract, attacker) : unknownParams(contract, attacker),
    bodyOf(contract, attacker),
  ]);

  return {
    contract,
    kinds: kindsOf(contract),
    own: { params: ownParams, body: ownBody },
    theirs: { params: theirParams, body: theirBody, things },
  };
}

/** Returns true if a call of the endpoint could refer to another organization's resource. */
export function canBeAttacked(contract: Contract): boolean {
  return !['public', 'operator'].includes(contract.access.kind) && kindsOf(contract).length > 0;
}

export function attacksOn(targets: readonly Target[]): fc.Arbitrary<Attack> {
  const aimed = targets.flatMap((target) => target.kinds.map((kind) => ({ target, kind })));

  return fc
    .record({
      aim: fc.constantFrom(...aimed),
      role: fc.constantFrom(...roles),
      index: fc.nat(20),
    })
    .map(({ aim, ...how }) => ({ ...aim, ...how }));
}

function withTheirThing({ own, theirs }: Target): Values {
  return { ...theirs.params, ...pick(own.params, 'organization_id') };
}

function pick(values: Values, name: string): Values {
  const value = values[name];

  return value === undefined ? {} : { [name]: value };
}

/** Returns the victim's id for the field. */
export function theirIdIn({ own, theirs }: Target, { path, keys }: Field): string {
  const inBody = valueAt(theirs.body ?? {}, keys);
  if (typeof inBody === 'string' && inBody !== valueAt(own.body ?? {}, keys)) {
    return inBody;
  }
  const [name = ''] = path
    .split('.')
    .filter((part) => part.includes('Id'))
    .slice(-1);
  const id = theirs.things[name.replace(/Ids$/, 'Id')];
  if (!id) {
    throw new Error(`There is nothing of another tenant's for ${path}: teach linked-things.ts`);
  }

  return id;
}

function nth<Element>(elements: readonly Element[], index: number): Element {
  const element = elements[index % elements.length];
  if (!element) {
    throw new Error('There is nothing to choose from');
  }

  return element;
}

function withTheirId(target: Target, index: number): Body {
  const field = nth(idFields(target.contract.body), index);

  return withValue(target.own.body ?? {}, field.keys, theirIdIn(target, field));
}

function queryWithTheirId(target: Target, index: number): Values {
  const field = nth(idFields(target.contract.query), index);

  return { [String(field.keys[0])]: theirIdIn(target, field) };
}

/** Ids may also be written in uppercase. */
function inEitherCase(params: Values, index: number): Values {
  const { organization_id: id = '' } = params;

  return { ...params, organization_id: index % 2 === 0 ? id : id.toUpperCase() };
}

/** Builds the call of a caller with this role in the attacker's own organization. */
export function callOf(
  { target, kind, role, index }: Attack,
  own: World,
  victim: World,
): CallInput {
  const { token } = own.people[role];
  const usual = { params: target.own.params, body: target.own.body, token };
  switch (kind) {
    case 'the organization in the path':
      return {
        ...usual,
        params: inEitherCase(target.theirs.params, index),
        body: target.theirs.body,
      };
    case 'the organization in the header':
      return { ...usual, headers: { 'x-organization-id': victim.organizationId } };
    case 'a thing in the path':
      return { ...usual, params: withTheirThing(target) };
    case 'an id in the body':
      return { ...usual, body: withTheirId(target, index) };
    default:
      return { ...usual, query: queryWithTheirId(target, index) };
  }
}
