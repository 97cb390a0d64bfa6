import { createHash } from 'node:crypto';

/** The data that a network received for a media file. */
export type MediumDetails = {
  readonly url: string | null;
  /** Null if the URL is not on this machine: the sandbox does not fetch it. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly contentType: string | null;
  readonly altText: string | null;
};

export function detailsOfBytes(
  content: Buffer,
  contentType: string | undefined,
  altText: string | null = null,
): MediumDetails {
  return {
    url: null,
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.length,
    contentType: contentType ?? null,
    altText,
  };
}

/** The sandbox fetches only URLs on this machine. */
export function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost'].includes(new URL(url).hostname);
}

/** Fetches a media file, as a network does. */
export async function detailsAt(
  url: string,
  altText: string | null = null,
): Promise<MediumDetails> {
  const unknown = { url, sha256: null, bytes: null, contentType: null, altText };

  if (!isOnThisMachine(url)) {
    return unknown;
  }

  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    const content = Buffer.from(await answer.arrayBuffer());

    return answer.ok
      ? {
          ...detailsOfBytes(content, answer.headers.get('content-type') ?? undefined, altText),
          url,
        }
      : unknown;
  } catch {
    return unknown;
  }
}
