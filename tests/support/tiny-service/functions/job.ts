/** Tells that it ran, and when it was started by a schedule. */
export async function handler(event: { readonly source?: string }): Promise<object> {
  process.stdout.write(
    `${JSON.stringify({ level: 'INFO', message: `job ran, started by ${event.source ?? 'hand'}` })}\n`,
  );

  return { done: true };
}
