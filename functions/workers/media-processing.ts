import { processMedia } from '#lib/features/media/processing/process-media.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { mediaProcessingWork } from '#schemas/work-payloads.ts';

export const handler = worker('mediaProcessing', mediaProcessingWork, processMedia);
