export { drainWork, sqsEvent, takeWork } from '#scripts/fixtures/queues.ts';
