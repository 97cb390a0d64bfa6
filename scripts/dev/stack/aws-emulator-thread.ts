/** The thread of `startInThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import { startAwsEmulator } from './aws-emulator.ts';

const { url } = await startAwsEmulator(workerData);
parentPort?.postMessage(url);
