import { randomBytes } from 'node:crypto';
import { accountOf, type NetworkWorld, numericId } from '../network-world.ts';
import { perWorld } from '../per-world.ts';

export type PersonAccount = {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl?: string | undefined;
};

/** Somebody who can sign in at the network. */
export type ConsentingPerson = {
  readonly id: string;
  readonly name: string;
  /** Pages, organizations or channels. On other networks, only the person's account. */
  readonly accounts: readonly PersonAccount[];
  /** The scopes that the person grants, if requested. Undefined: all of them. */
  readonly scopes?: readonly string[] | undefined;
  readonly hasRefreshToken: boolean;
};

/** An authorization code, and the values that its exchange must repeat. */
export type IssuedCode = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | undefined;
  readonly person: ConsentingPerson;
  /** The granted scopes. */
  readonly scopes: readonly string[];
  /** Google returns a refresh token only if the request asked for it. */
  readonly isOffline: boolean;
  readonly at: Date;
  readonly isUsed: boolean;
};

type ConsentState = {
  readonly people: Map<string, ConsentingPerson>;
  readonly codes: Map<string, IssuedCode>;
};

const states = perWorld((): ConsentState => ({ people: new Map(), codes: new Map() }));

/** Adds a person, or replaces the person with the same id. Existing tokens stay valid. */
export function addPerson(world: NetworkWorld, person: ConsentingPerson): ConsentingPerson {
  states(world).people.set(person.id, person);
  world.people.set(person.id, { ...world.people.get(person.id), name: person.name });
  for (const { id, name, avatarUrl } of person.accounts) {
    world.accounts.set(id, { ...accountOf(world, id, name), ...(avatarUrl ? { avatarUrl } : {}) });
  }

  return person;
}

/** Returns all people who signed in or were registered. */
export function peopleOf(world: NetworkWorld): readonly ConsentingPerson[] {
  return [...states(world).people.values()];
}

/** Returns the person with this id, or creates one with one account. */
export function requirePerson(
  world: NetworkWorld,
  id: string | undefined,
  managesAccounts: boolean,
): ConsentingPerson {
  const known = id === undefined ? undefined : states(world).people.get(id);

  return known ?? addPerson(world, newPerson(world, id ?? numericId(), managesAccounts));
}

function newPerson(world: NetworkWorld, id: string, managesAccounts: boolean): ConsentingPerson {
  const name = `Person ${id.slice(-4)}`;
  const account = managesAccounts
    ? { id: accountId(world), name: `Account of ${name}` }
    : { id, name };

  return { id, name, accounts: [account], hasRefreshToken: true };
}

function accountId({ platform }: NetworkWorld): string {
  return platform === 'YOUTUBE' ? `UC${randomBytes(16).toString('base64url')}` : numericId();
}

/** Stores a new code of `A-Za-z0-9_-`. */
export function issueCode(world: NetworkWorld, issued: Omit<IssuedCode, 'at' | 'isUsed'>): string {
  const code = randomBytes(24).toString('base64url');
  states(world).codes.set(code, { ...issued, at: world.clock(), isUsed: false });

  return code;
}

/** Returns a code's consent, and how to mark the code as used. */
export function findCode(world: NetworkWorld, code: string) {
  const { codes } = states(world);
  const issued = codes.get(code);

  return issued && { issued, use: () => codes.set(code, { ...issued, isUsed: true }) };
}
