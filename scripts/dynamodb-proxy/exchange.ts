import { setTimeout as delay } from 'node:timers/promises';
import { costsHeader } from '#scripts/dev/table/start-table.ts';
import type { ItemUnits } from '../dev/table/costs.ts';
import { faultError } from './fault-error.ts';
import type { FaultSchedule } from './fault-schedule.ts';
import {
  type EndingFault,
  endingMoment,
  type Fault,
  isEndingFault,
  type Moment,
} from './faults.ts';
import { requestKeys } from './request-keys.ts';
import { type Reshaped, reshape } from './reshape.ts';
import type { Target } from './target.ts';
import { type Answer, answerFor, type Request } from './wire.ts';

export type ExchangeContext = {
  readonly target: Target;
  readonly schedule: FaultSchedule;
};

export type ExchangeResult = {
  /** The response for the caller, or undefined to break its connection. */
  readonly answer: Answer | undefined;
  readonly keys: readonly string[];
  /** The costs of each item, if the exchange was metered and reached the database. */
  readonly costs: readonly ItemUnits[];
};

/** Forwards one request to the database and applies the scheduled faults. */
export async function exchange(
  { target, schedule }: ExchangeContext,
  request: Request,
  isMetered: boolean,
  callerGone: AbortSignal,
): Promise<ExchangeResult> {
  const keys = requestKeys(request.body);
  const faults = schedule.next(request.operation, keys);
  await pause(faults, 'before', callerGone);
  if (callerGone.aborted) {
    return { answer: undefined, keys, costs: [] };
  }
  const early = findEnding(faults, 'before');
  if (early !== undefined) {
    return { answer: await endWith(early, request), keys, costs: [] };
  }

  const shaped = reshape(request.body, faults);
  const answer = await target.send({
    ...request,
    headers: { ...request.headers, ...(isMetered ? { [costsHeader]: 'wanted' } : {}) },
    body: shaped?.body ?? request.body,
  });
  const costs = isMetered ? costsOf(answer) : [];
  await pause(faults, 'after', callerGone);
  if (callerGone.aborted) {
    return { answer: undefined, keys, costs };
  }
  const late = findEnding(faults, 'after');

  return {
    answer: late === undefined ? complete(answer, shaped) : await endWith(late, request),
    keys,
    costs,
  };
}

function complete(answer: Answer, shaped: Reshaped | undefined): Answer {
  return shaped === undefined || answer.status >= 400
    ? answer
    : { ...answer, body: JSON.stringify(shaped.complete(JSON.parse(answer.body))) };
}

function costsOf({ headers }: Answer): readonly ItemUnits[] {
  const costs = headers[costsHeader];
  if (costs === undefined) {
    throw new Error('The meter needs the development table, because others do not report costs.');
  }

  return JSON.parse(costs);
}

async function pause(faults: readonly Fault[], when: Moment, gone: AbortSignal): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === 'delay' && fault.when === when) {
      const ended = new AbortController();
      const end = () => ended.abort();
      fault.until?.then(end, end);
      const signal = AbortSignal.any([gone, ended.signal]);
      // The next step checks whether the caller has disconnected.
      await delay(fault.delayMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

function findEnding(faults: readonly Fault[], when: Moment): EndingFault | undefined {
  return faults.filter(isEndingFault).find((fault) => endingMoment(fault) === when);
}

async function endWith(fault: EndingFault, { body }: Request): Promise<Answer | undefined> {
  if (fault.kind === 'kill') {
    await killCaller(fault.victim);
  }
  const error = faultError(fault, body);

  return error && answerFor(error);
}

async function killCaller(victim: number | (() => void | Promise<void>)): Promise<void> {
  if (typeof victim === 'number') {
    process.kill(victim, 'SIGKILL');

    return;
  }
  await victim();
}
