/** Logs that it ran and what started it. */
export async function handler(event: { readonly source?: string }): Promise<object> {
  process.stdout.write(
    `${JSON.stringify({ level: 'INFO', message: `job ran, started by ${event.source ?? 'hand'}` })}\n`,
  );

  return { done: true };
}
