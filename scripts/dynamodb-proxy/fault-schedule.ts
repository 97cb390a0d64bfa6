import { seededRandom } from '#scripts/seeded-random.ts';
import { canHappenTo, type Fault } from './faults.ts';

/** Selects the requests that a fault affects. All given conditions must match. */
export type FaultRule = {
  readonly fault: Fault;
  /** `PutItem`, `Query`, … */
  readonly operation?: string | readonly string[];
  /** The start of a key in the request, as `pk/sk`. */
  readonly keyPrefix?: string;
  /** The first matching request to affect, counted from 1. */
  readonly nth?: number;
  /** How many requests to affect. Defaults to one if `nth` is given, else all. */
  readonly times?: number;
  /**
   * The share of matching requests to affect. Draws depend on the seed and the order of requests.
   */
  readonly probability?: number;
};

type FaultHit = {
  readonly operation: string;
  readonly keys: readonly string[];
  readonly fault: Fault;
};

export type Faults = {
  /**
   * Adds a rule and returns a function that removes it. Rules apply in the order in which they were
   * added.
   */
  readonly add: (rule: FaultRule) => () => void;
  /** Removes all rules and hits. */
  readonly clear: () => void;
  /** The faults that have occurred so far. */
  readonly hits: () => readonly FaultHit[];
};

export type FaultSchedule = Faults & {
  /** The faults for the next request. Each call counts as one request. */
  readonly next: (operation: string, keys: readonly string[]) => readonly Fault[];
};

type RuleState = {
  readonly rule: FaultRule;
  matches: number;
  strikes: number;
  random: () => number;
};

/** A deterministic schedule: the same seed, rules and requests produce the same faults. */
export function createFaultSchedule(seed: number): FaultSchedule {
  let states: RuleState[] = [];
  let hits: FaultHit[] = [];
  let added = 0;

  function add(rule: FaultRule): () => void {
    // Each rule has its own random numbers, so adding a rule does not change the draws of others.
    const state = { rule, matches: 0, strikes: 0, random: seededRandom(seed + added) };
    added += 1;
    states.push(state);

    return () => {
      states = states.filter((other) => other !== state);
    };
  }

  function next(operation: string, keys: readonly string[]): readonly Fault[] {
    const faults = states
      .filter(({ rule }) => isMatch(rule, operation, keys))
      .filter(strikes)
      .map(({ rule }) => rule.fault);
    hits.push(...faults.map((fault) => ({ operation, keys, fault })));

    return faults;
  }

  function clear(): void {
    states = [];
    hits = [];
    added = 0;
  }

  return { add, clear, hits: () => [...hits], next };
}

function isMatch(rule: FaultRule, operation: string, keys: readonly string[]): boolean {
  const { keyPrefix, operation: expected = operation } = rule;
  const matchesOperation =
    typeof expected === 'string' ? expected === operation : expected.includes(operation);
  const isKeyMatch = keyPrefix === undefined || keys.some((key) => key.startsWith(keyPrefix));

  return matchesOperation && isKeyMatch && canHappenTo(rule.fault, operation);
}

function strikes(state: RuleState): boolean {
  const { nth = 1, probability = 1 } = state.rule;
  const times = state.rule.times ?? (state.rule.nth === undefined ? Number.POSITIVE_INFINITY : 1);
  state.matches += 1;
  const isDrawn = state.random() < probability;
  if (state.matches < nth || state.strikes >= times || !isDrawn) {
    return false;
  }
  state.strikes += 1;

  return true;
}
