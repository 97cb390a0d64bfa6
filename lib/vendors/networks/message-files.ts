import type { Platform } from '#schemas/platforms.ts';

type Rule = { readonly contentTypes: readonly string[]; readonly maxBytes: number };

const videos: Rule = { contentTypes: ['video/mp4', 'video/quicktime'], maxBytes: 25_000_000 };

/**
 * The files that networks accept in private messages. The service sends no files on other networks.
 */
const rules: Readonly<Partial<Record<Platform, readonly Rule[]>>> = {
  FACEBOOK: [
    { contentTypes: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: 8_000_000 },
    videos,
  ],
  INSTAGRAM: [{ contentTypes: ['image/jpeg', 'image/png'], maxBytes: 8_000_000 }, videos],
};

export function takesMessageFiles(platform: Platform): boolean {
  return rules[platform] !== undefined;
}

/** Returns the reason why the network would reject the file in a private message. */
export function messageFileProblem(
  platform: Platform,
  { contentType = '', bytes = 0 }: { readonly contentType?: string; readonly bytes?: number },
): string | undefined {
  const accepted = rules[platform] ?? [];
  const rule = accepted.find(({ contentTypes }) => contentTypes.includes(contentType));
  if (!rule) {
    const types = accepted.flatMap(({ contentTypes }) => contentTypes).join(', ');

    return `must be one of these types in messages on ${platform}: ${types}`;
  }

  return bytes > rule.maxBytes
    ? `must not be larger than ${rule.maxBytes} bytes in messages on ${platform}`
    : undefined;
}
