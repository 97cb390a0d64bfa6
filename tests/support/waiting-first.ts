import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for schedules for up to half a minute, during which other files can run. */
const waiting = /\/e2e\/(demo|live-updates)\.test\.ts$/;

/**
 * Starts these files first. Without the durations of an earlier run, Vitest starts the largest files
 * first, and these would run alone at the end.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification) => waiting.test(moduleId);

    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}
