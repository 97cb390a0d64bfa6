/** A clock that stands at `startMs` (since the epoch) now, and goes on from there. */
export function clockFrom(startMs: number): () => number {
  const { now } = Date;
  const offsetMs = startMs - now();

  return () => now() + offsetMs;
}
