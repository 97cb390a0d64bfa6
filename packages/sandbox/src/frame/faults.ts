import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import * as z from 'zod';
import type { SandboxRequest } from './service.ts';

export const faultModes = [
  'down',
  'refuse',
  'hang',
  'hang-after',
  'error',
  'slow',
  'drip',
] as const;

const maximumDelayMs = 600_000;

/** The body of `POST /_sandbox/faults`. */
export const faultSchema = z
  .strictObject({
    service: z.string(),
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .optional(),
    path: z.string().refine(isPattern, 'must be a regular expression').optional(),
    mode: z.enum(faultModes),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
    delayMs: z.int().min(0).max(maximumDelayMs).optional(),
    times: z.int().min(1).optional(),
    /** The number of matching calls that succeed before the fault begins. */
    skip: z.int().min(0).optional(),
  })
  .refine((fault) => fault.mode !== 'slow' || fault.delayMs !== undefined, {
    path: ['delayMs'],
    message: 'is required for mode slow',
  });

export type FaultRequest = z.input<typeof faultSchema>;

type FaultRule = z.output<typeof faultSchema>;

/** An active fault. Without `remaining`, it stays active until it is ended. */
export type Fault = FaultRule & { readonly id: string; readonly remaining?: number };

export type FaultBook = {
  readonly add: (rule: FaultRule) => Fault;
  readonly list: () => readonly Fault[];
  /** Ends one fault. Returns false if there is no fault with that id. */
  readonly end: (id: string) => boolean;
  readonly clear: () => number;
  /** Resolves when the active fault is ended. */
  readonly ended: (id: string) => Promise<void>;
  /** Returns the oldest fault that matches the request, and counts one use of it. */
  readonly take: (service: string, request: SandboxRequest) => Fault | undefined;
};

/** Keeps the active faults. */
export function createFaultBook(): FaultBook {
  const faults = new Map<string, Fault>();
  const endings = new EventEmitter().setMaxListeners(0);
  const end = (id: string) => {
    endings.emit(id);

    return faults.delete(id);
  };

  return {
    add: (rule) => {
      const fault = {
        ...rule,
        id: randomUUID(),
        ...(rule.times === undefined ? {} : { remaining: rule.times }),
      };
      faults.set(fault.id, fault);

      return fault;
    },
    list: () => [...faults.values()],
    end,
    clear: () => {
      const ids = [...faults.keys()];
      for (const id of ids) {
        end(id);
      }

      return ids.length;
    },
    ended: async (id) => {
      await once(endings, id);
    },
    take: (service, request) => {
      const fault = [...faults.values()]
        .filter((one) => one.service === service && hits(one, request))
        .find((one) => hasBegun(faults, one));

      if (fault?.remaining === undefined) {
        return fault;
      }

      if (fault.remaining > 1) {
        faults.set(fault.id, { ...fault, remaining: fault.remaining - 1 });
      } else {
        faults.delete(fault.id);
      }

      return fault;
    },
  };
}

/** True if the fault applies now. Until then, counts the request as one that passes. */
function hasBegun(faults: Map<string, Fault>, fault: Fault): boolean {
  const { skip = 0 } = fault;

  if (skip > 0) {
    faults.set(fault.id, { ...fault, skip: skip - 1 });
  }

  return skip === 0;
}

function hits(fault: Fault, request: SandboxRequest): boolean {
  if (fault.method !== undefined && fault.method !== request.method) {
    return false;
  }

  return fault.path === undefined || new RegExp(fault.path).test(request.path);
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source);

    return true;
  } catch {
    return false;
  }
}
