const jpegStart = 'ffd8ff';

/**
 * True if the URL returns a JPEG image. Only URLs on this machine are fetched. For all others, the
 * file extension decides.
 */
export async function isJpegAt(url: string): Promise<boolean> {
  const { hostname, pathname } = new URL(url);

  if (hostname !== '127.0.0.1' && hostname !== 'localhost') {
    return !/\.(png|gif|webp|heic|heif|avif)$/i.test(pathname);
  }

  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(2_000) });
    const bytes = Buffer.from(await answer.arrayBuffer());

    return answer.ok && bytes.subarray(0, 3).toString('hex') === jpegStart;
  } catch {
    return false;
  }
}
