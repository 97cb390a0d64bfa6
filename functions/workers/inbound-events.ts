import { handleInboundEvent } from '#lib/features/intake/handle-inbound-event.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { inboundEventWork } from '#schemas/work-payloads.ts';

export const handler = worker('inboundEvent', inboundEventWork, handleInboundEvent);
