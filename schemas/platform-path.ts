import { type MetaPlatform, metaPlatforms, type Platform, platforms } from './platforms.ts';
import * as z from './zod.ts';

function inPath<Name extends Platform>(names: readonly Name[]) {
  const lowercase = names.map((name) => name.toLowerCase() as Lowercase<Name>);

  return z.object({
    platform: z
      .string()
      .max(20)
      .toLowerCase()
      .pipe(z.enum(lowercase))
      .meta({ example: 'facebook', description: 'The lowercase network name' }),
  });
}

/** Accepts any case, because the API specification contains the names in both. */
export const platformInPath = inPath(platforms);

/** The same for endpoints that only Meta's networks have. */
export const metaPlatformInPath = inPath(metaPlatforms);

/** Returns the platform for a lowercase path segment. */
export function platformNamed(name: Lowercase<Platform>): Platform {
  return name.toUpperCase() as Platform;
}

export function metaPlatformNamed(name: Lowercase<MetaPlatform>): MetaPlatform {
  return name.toUpperCase() as MetaPlatform;
}
