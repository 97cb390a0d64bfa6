import type { Role } from '#schemas/contract.ts';
import type { Call } from '#tests/support/api.ts';
import type { World } from './world.ts';

export type Values = Readonly<Record<string, string>>;
export type Body = Readonly<Record<string, unknown>>;

/**
 * What a call needs in addition to its contract in order to succeed in a world. Each function may
 * be called any number of times and creates new resources.
 */
export type Fixture = {
  /** The caller's role. Defaults to OWNER. */
  readonly as?: Role;
  /** Path parameters other than `organization_id`: ids of resources that exist in the world. */
  readonly params?: (world: World) => Promise<Values>;
  /** Query parameters that the call requires. */
  readonly query?: (world: World) => Promise<Values>;
  /** Replaces fields of the contract's own example. */
  readonly body?: (world: World) => Promise<Body>;
  /** Body and headers of a signed request, whose bytes the contract does not describe. */
  readonly signed?: (world: World) => Promise<Pick<Call, 'body' | 'headers'>>;
};

export type Fixtures = Readonly<Record<string, Fixture>>;
