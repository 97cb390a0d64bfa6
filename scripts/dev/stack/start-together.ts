type Part = { readonly close: () => Promise<void> };

/**
 * Waits for parts that start side by side. If one fails, those that did start are ended, and the
 * failure is thrown; so nothing is left behind.
 */
export async function startTogether<Parts extends Readonly<Record<string, Promise<Part>>>>(
  starting: Parts,
): Promise<{ readonly [Name in keyof Parts]: Awaited<Parts[Name]> }> {
  const outcomes = await Promise.allSettled(Object.values(starting));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    const started = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    await closeTogether(started);
    throw failed.reason;
  }
  const names = Object.keys(starting);
  const values = outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value);

  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as {
    [Name in keyof Parts]: Awaited<Parts[Name]>;
  };
}

/** Ends all parts, also when ending one of them fails. */
export async function closeTogether(parts: Iterable<Part>): Promise<void> {
  await Promise.allSettled([...parts].map((part) => part.close()));
}
