import { ConditionNotMet, type Write, write } from '#lib/db/write.ts';

/** Writes, where nobody has been faster with as good a reason. */
export async function writeUnlessOvertaken(...writes: readonly Write[]): Promise<void> {
  try {
    await write(...writes);
  } catch (failure) {
    if (!(failure instanceof ConditionNotMet)) {
      throw failure;
    }
  }
}
