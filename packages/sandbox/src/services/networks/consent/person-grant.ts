import type { GrantRequest } from '../token-store.ts';
import type { IssuedCode } from './consent-state.ts';

/** The token of a person, on networks where people manage pages or organizations. */
export function personGrant({ person, scopes }: IssuedCode): GrantRequest {
  return {
    userId: person.id,
    userName: person.name,
    pages: person.accounts.map(({ id, name }) => ({ id, name })),
    isPerson: true,
    scopes,
  };
}

/** The token of a person's only account. */
export function ownAccountGrant({ person, scopes }: IssuedCode): GrantRequest {
  const [account] = person.accounts;

  return {
    userId: account?.id ?? person.id,
    userName: account?.name ?? person.name,
    scopes,
  };
}
