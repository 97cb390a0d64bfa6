import { handleInboundEvent } from '#lib/features/social/intake/handle-inbound-event.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('inboundEvent', handleInboundEvent);
