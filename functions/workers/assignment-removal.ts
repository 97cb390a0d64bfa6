import { removeAssignments } from '#lib/features/conversations/assignments.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { assignmentRemovalWork } from '#schemas/work-payloads.ts';

export const handler = worker('assignmentRemoval', assignmentRemovalWork, removeAssignments);
