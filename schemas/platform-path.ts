import { type Platform, platforms } from './platforms.ts';
import * as z from './zod.ts';

const networkNames = platforms.map((name) => name.toLowerCase() as Lowercase<Platform>);

/** Accepts any case, because the interface writes the names in both. */
export const platformInPath = z.object({
  platform: z
    .string()
    .max(20)
    .toLowerCase()
    .pipe(z.enum(networkNames))
    .meta({ example: 'facebook', description: 'The lowercase network name' }),
});

/** Returns the platform for a lowercase path segment. */
export function platformNamed(name: Lowercase<Platform>): Platform {
  return name.toUpperCase() as Platform;
}
