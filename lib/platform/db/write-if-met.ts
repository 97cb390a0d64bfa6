import { ConditionNotMetError } from './failures.ts';
import { type Write, write } from './write.ts';

/** Writes everything, or returns false without writing if a condition is not met. */
export async function writeIfMet(...writes: readonly Write[]): Promise<boolean> {
  return (await unlessOvertaken(writes)) !== 'overtaken';
}

/** Changes an item and returns the new version; `undefined` if the condition is not met. */
export async function changeIfMet<Item extends object>(change: Write): Promise<Item | undefined> {
  const item = await unlessOvertaken([change]);

  return item === 'overtaken' ? undefined : (item as Item | undefined);
}

async function unlessOvertaken(
  writes: readonly Write[],
): Promise<object | 'overtaken' | undefined> {
  try {
    return await write(...writes);
  } catch (failure) {
    if (failure instanceof ConditionNotMetError) {
      return 'overtaken';
    }
    throw failure;
  }
}

/**
 * Writes everything, or writes nothing and returns false if another request already holds one of
 * the claims.
 *
 * @throws the errors of the other writes' conditions, like `write`.
 */
export async function writeUnlessTaken(
  claims: readonly Write[],
  writes: readonly Write[] = [],
): Promise<boolean> {
  const taken = new Error('The claim exists already');
  try {
    await write(
      ...claims.map((claim) => ({ ...claim, onConditionFailed: () => taken })),
      ...writes,
    );

    return true;
  } catch (failure) {
    if (failure === taken) {
      return false;
    }
    throw failure;
  }
}
