import { compact } from '#lib/platform/compact.ts';
import type { Person } from './network.ts';

type Known = {
  readonly [Field in keyof Person]?: Person[Field] | undefined;
} & { readonly id: string };

/** Returns the person of an event. If there is no name, uses the username. */
export function personOf({ id, name, username, avatarUrl }: Known): Person {
  return compact({
    id,
    name: name || username || '',
    username: username || undefined,
    avatarUrl: avatarUrl || undefined,
  }) as Person;
}
