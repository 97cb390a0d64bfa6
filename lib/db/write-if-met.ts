import { ConditionNotMet, type Write, write } from './write.ts';

/** Writes all of it, unless somebody has been faster: then nothing. Returns whether it was written. */
export async function writeIfMet(...writes: readonly Write[]): Promise<boolean> {
  try {
    await write(...writes);

    return true;
  } catch (failure) {
    if (failure instanceof ConditionNotMet) {
      return false;
    }
    throw failure;
  }
}
