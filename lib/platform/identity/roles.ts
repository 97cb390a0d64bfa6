import { type Role, roles } from '#schemas/contract.ts';

/** `roles` is ordered by rank, highest first. */
export function ranksAtLeast(role: Role, lowest: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(lowest);
}

export function ranksAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(other);
}
