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
  readonly theirs: { readonly params: Values; readonly body: Body | undefined };
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

function idFields(schema: Contract['body']): readonly Field[] {
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

/** What can be tried of an endpoint, when the victim has everything that it could name. */
export async function targetOf(
  contract: Contract,
  attacker: World,
  victim: World,
): Promise<Target> {
  const [theirParams, theirBody, ownBody] = await Promise.all([
    paramsOf(contract, victim),
    bodyOf(contract, victim),
    bodyOf(contract, attacker),
  ]);

  return {
    contract,
    kinds: kindsOf(contract),
    own: { params: unknownParams(contract, attacker), body: ownBody },
    theirs: { params: theirParams, body: theirBody },
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

function withTheirId(target: Target, victim: World, index: number): Body {
  const fields = idFields(target.contract.body);
  const field = fields[index % fields.length];
  const own = target.own.body ?? {};
  const keys = field?.keys ?? [];
  const theirs = valueAt(target.theirs.body ?? {}, keys);
  // What both have is nobody's, as a card that the provider knows for tests.
  const isTheirs = theirs !== undefined && theirs !== valueAt(own, keys);

  return withValue(own, keys, isTheirs ? theirs : victim.organizationId);
}

function queryWithTheirId({ contract }: Target, victim: World, index: number): Values {
  const fields = idFields(contract.query);
  const field = fields[index % fields.length];

  return field ? { [field.path]: victim.organizationId } : {};
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
      return { ...usual, body: withTheirId(target, victim, index) };
    default:
      return { ...usual, query: queryWithTheirId(target, victim, index) };
  }
}
