import { handleInboundEvent } from '#lib/social/intake/handle-inbound-event.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('inboundEvent', handleInboundEvent);
