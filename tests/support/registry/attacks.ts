import fc from 'fast-check';
import type { Contract, Role } from '#schemas/contract.ts';
import { roles } from '#schemas/contract.ts';
import type { Call } from '#tests/support/api.ts';
import { type Field, fieldsOf, valueAt, withValue } from './fields.ts';
import type { Body, Values } from './fixture.ts';
import type { World } from './world.ts';
import { bodyOf, paramsOf, unknownParams } from './worlds.ts';

/** How a member of one organization reaches for what is another's. */
const attackKinds = [
  'the organization in the path',
  'the organization in the header',
  'a thing in the path',
  'an id in the body',
  'an id in the query',
] as const;

export type AttackKind = (typeof attackKinds)[number];

/** Of one endpoint: what calls of it are made of, in the attacker's world and in the victim's. */
export type Target = {
  readonly contract: Contract;
  readonly kinds: readonly AttackKind[];
  readonly own: { readonly params: Values; readonly body: Body | undefined };
  readonly theirs: {
    readonly params: Values;
    readonly body: Body | undefined;
    /** Ids of what the victim has, by the names that fields have for them. */
    readonly things: Values;
  };
};

export type Attack = {
  readonly target: Target;
  readonly kind: AttackKind;
  readonly role: Role;
  /** Which of the ids, where there are several. */
  readonly index: number;
};

/** What is called an id, and is a name that the caller makes up, or one that all tenants share. */
const nobodys = /(^|\.)(testId|planId)$/;

function namesAThing({ path, schema }: Field): boolean {
  return schema.format === 'uuid' || (/Ids?(\.0)?$/.test(path) && !nobodys.test(path));
}

/** Others are names that all tenants share, such as those of parts of the service. */
export function namesATenantsThing(parameter: string): boolean {
  return parameter.endsWith('_id') && parameter !== 'organization_id';
}

/** The fields that name a thing of a tenant's. */
export function idFields(schema: Contract['body']): readonly Field[] {
  return schema
    ? fieldsOf(schema).filter((field) => field.kind === 'string' && namesAThing(field))
    : [];
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
 * What can be tried of an endpoint, when the victim has everything that it could name: its things,
 * and what the endpoint itself needs. What the attacker's own part of the call names is there.
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

/** Whether anything of another tenant could be named in a call of the endpoint. */
export function canBeAttacked(contract: Contract): boolean {
  return contract.access.kind !== 'public' && kindsOf(contract).length > 0;
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

/** The id of the victim's that the field could name. */
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

/** The call that is made, by somebody of that role in the attacker's own organization. */
export function callOf({ target, kind, role, index }: Attack, own: World, victim: World): Call {
  const { token } = own.people[role];
  const usual = { params: target.own.params, body: target.own.body, token };
  switch (kind) {
    case 'the organization in the path':
      return { ...usual, params: target.theirs.params, body: target.theirs.body };
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
