import type { FaultBook } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import type { SandboxService } from './service.ts';

/** The parts of the sandbox that the control API operates on. */
export type Frame = {
  readonly services: readonly SandboxService[];
  readonly faults: FaultBook;
  readonly log: RequestLog;
  readonly reset: () => void;
  /** Sets the URL of the service under test. */
  readonly setServiceUrl: (url: string) => void;
};
