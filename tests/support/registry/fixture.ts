import type { Role } from '#schemas/contract.ts';
import type { Call } from '#tests/support/api.ts';
import type { World } from './world.ts';

export type Values = Readonly<Record<string, string>>;
export type Body = Readonly<Record<string, unknown>>;

/**
 * What a call of an endpoint needs, beyond its contract, in order to succeed in a world. Each maker
 * may be called any number of times, and makes what it names anew.
 */
export type Fixture = {
  /** Who calls it; the OWNER where nothing is said. */
  readonly as?: Role;
  /** What stands in the path beside `organization_id`: ids of things that exist in the world. */
  readonly params?: (world: World) => Promise<Values>;
  /** What stands in the query, where the call does not succeed without. */
  readonly query?: (world: World) => Promise<Values>;
  /** Replaces fields of the contract's own example. */
  readonly body?: (world: World) => Promise<Body>;
  /** For a body that is checked byte by byte, which the contract says nothing of: it and its headers. */
  readonly signed?: (world: World) => Promise<Pick<Call, 'body' | 'headers'>>;
};

export type Fixtures = Readonly<Record<string, Fixture>>;
