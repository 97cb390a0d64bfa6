import { logger } from '#lib/platform/log/logger.ts';
import { now, secondMs } from './clock.ts';

/** So many calls in a row that met an outage open a circuit. */
const outagesToOpen = 5;
/** So long an open circuit refuses all calls; then it lets one through. */
const openMs = 30 * secondMs;

/** A vendor is not called, as it did not work for the last calls. Nothing was sent. */
export class CircuitOpen extends Error {
  constructor(vendor: string) {
    super(`${vendor} is not called for a while, as it did not work`);
    this.name = 'CircuitOpen';
  }
}

/**
 * Whether a vendor does not work. What it refuses for a reason of the caller's is no outage: whoever
 * says no works. `undefined` where a failure says nothing of the vendor.
 */
export type Outage<T> = {
  readonly inAnswer?: (answer: T) => boolean;
  readonly inFailure: (failure: unknown) => boolean | undefined;
};

type Circuit = {
  outages: number;
  /** While it is open: until when nothing is let through. */
  refusesUntilMs: number | undefined;
  /** Raised when it opens: what began before says nothing of the time since. */
  openings: number;
};

const circuits = new Map<string, Circuit>();

/**
 * Calls a vendor, unless it is known not to work: after five outages in a row all calls fail at once
 * for 30 seconds; then one call is let through, which closes the circuit or opens it again. Each
 * instance knows of its own calls alone.
 *
 * @throws CircuitOpen, and whatever the call throws.
 */
export async function throughCircuit<T>(
  vendor: string,
  call: () => Promise<T>,
  { inAnswer = () => false, inFailure }: Outage<T>,
): Promise<T> {
  const circuit = circuits.get(vendor) ?? newCircuit(vendor);
  letIn(circuit, vendor);
  const { openings } = circuit;
  const note = (isOutage: boolean | undefined) => {
    if (isOutage !== undefined && circuit.openings === openings) {
      learn(circuit, vendor, isOutage);
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

/** The call that is let through keeps all others out until it has an answer. */
function letIn(circuit: Circuit, vendor: string): void {
  const { refusesUntilMs } = circuit;
  if (refusesUntilMs === undefined) {
    return;
  }
  if (now() < refusesUntilMs) {
    throw new CircuitOpen(vendor);
  }
  circuit.refusesUntilMs = now() + openMs;
}

function learn(circuit: Circuit, vendor: string, isOutage: boolean): void {
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

/** Has all vendors called again. For tests. */
export function closeCircuits(): void {
  circuits.clear();
}
