type Part = { readonly close: () => Promise<void> };

/** Waits for parts that start in parallel. If one fails, stops the others and throws the error. */
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

/** Stops all parts, even if stopping one of them fails. */
export async function closeTogether(parts: Iterable<Part>): Promise<void> {
  await Promise.allSettled([...parts].map((part) => part.close()));
}
