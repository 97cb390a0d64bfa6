import { logger } from '#lib/platform/log/logger.ts';
import { now, secondMs } from './clock.ts';

/** Consecutive outages after which the circuit opens. */
const outagesToOpen = 5;
/** An open circuit rejects all calls for this long, then lets one through. */
const openMs = 30 * secondMs;

/** Thrown instead of calling a vendor that has failed repeatedly. Nothing was sent. */
export class CircuitOpenError extends Error {
  constructor(vendor: string) {
    super(`${vendor} is not called for a while, as it did not work`);
    this.name = 'CircuitOpenError';
  }
}

/**
 * Decides whether a response or failure is an outage of the vendor. Errors that the caller caused
 * are not: a vendor that rejects a request is available. `undefined` if a failure says nothing
 * about the vendor.
 */
export type Outage<T> = {
  readonly inAnswer?: (answer: T) => boolean;
  readonly inFailure: (failure: unknown) => boolean | undefined;
};

type Circuit = {
  outages: number;
  /** Set while the circuit is open: no calls are allowed until this time. */
  refusesUntilMs: number | undefined;
  /** Incremented when the circuit opens, so that results of earlier calls are ignored. */
  openings: number;
};

const circuits = new Map<string, Circuit>();

/**
 * Calls a vendor through a circuit breaker. After five consecutive outages, all calls fail
 * immediately for 30 seconds. Then one trial call closes or reopens the circuit. Each instance has
 * its own state.
 *
 * @throws CircuitOpenError, and anything that the call throws.
 */
export async function throughCircuit<T>(
  vendor: string,
  call: () => Promise<T>,
  { inAnswer = () => false, inFailure }: Outage<T>,
): Promise<T> {
  const circuit = circuits.get(vendor) ?? newCircuit(vendor);
  checkOpen(circuit, vendor);
  const { openings } = circuit;
  const note = (isOutage: boolean | undefined) => {
    if (isOutage !== undefined && circuit.openings === openings) {
      recordResult(circuit, vendor, isOutage);
    }
  };
  try {
    const answer = await call();
    note(inAnswer(answer));

    return answer;
  } catch (failure) {
    note(inFailure(failure));
    throw failure;
  }
}

function newCircuit(vendor: string): Circuit {
  const circuit = { outages: 0, refusesUntilMs: undefined, openings: 0 };
  circuits.set(vendor, circuit);

  return circuit;
}

/** Lets one trial call through and blocks all others until it returns. */
function checkOpen(circuit: Circuit, vendor: string): void {
  const { refusesUntilMs } = circuit;
  if (refusesUntilMs === undefined) {
    return;
  }
  if (now() < refusesUntilMs) {
    throw new CircuitOpenError(vendor);
  }
  circuit.refusesUntilMs = now() + openMs;
}

function recordResult(circuit: Circuit, vendor: string, isOutage: boolean): void {
  if (!isOutage) {
    circuit.outages = 0;
    circuit.refusesUntilMs = undefined;

    return;
  }
  circuit.outages += 1;
  if (circuit.outages >= outagesToOpen) {
    circuit.openings += 1;
    circuit.refusesUntilMs = now() + openMs;
    logger.warn('A vendor is not called for a while', { vendor, outages: circuit.outages });
  }
}

/** Closes all circuits. For tests. */
export function closeCircuits(): void {
  circuits.clear();
}
