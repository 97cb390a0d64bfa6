import { setTimeout as delay } from 'node:timers/promises';
import { type Bill, billKeyed, billPage, freeBill } from './bill.ts';
import { faultAnswer } from './fault-answer.ts';
import type { FaultSchedule } from './fault-schedule.ts';
import {
  type EndingFault,
  endingMoment,
  type Fault,
  isEndingFault,
  type Moment,
} from './faults.ts';
import { reshape } from './reshape.ts';
import type { Target } from './target.ts';
import { keyTexts, type Touch, touchedItems } from './touched-items.ts';
import { type Answer, errorName, type Request } from './wire.ts';

export type ExchangeContext = {
  readonly target: Target;
  readonly schedule: FaultSchedule;
  /** The tokens of completed transactions. */
  readonly doneTokens: Set<string>;
};

export type ExchangeResult = {
  /** The answer for the caller, or undefined to break its connection. */
  readonly answer: Answer | undefined;
  readonly keys: readonly string[];
  readonly bill: Bill;
};

/** Forwards one request to the database and applies the scheduled faults. */
export async function exchange(
  context: ExchangeContext,
  request: Request,
  isMetered: boolean,
  callerGone: AbortSignal,
): Promise<ExchangeResult> {
  const touches = touchedItems(request, await context.target.schemasFor(request));
  const keys = keyTexts(request, touches);
  const faults = context.schedule.next(request.operation, keys);
  await pause(faults, 'before', callerGone);
  if (callerGone.aborted) {
    return { answer: undefined, keys, bill: freeBill };
  }
  const early = findEnding(faults, 'before');
  if (early !== undefined) {
    return { answer: await endWith(early, request), keys, bill: freeBill };
  }

  const shaped = reshape(request, faults);
  const { answer, bill } = isMetered
    ? await sendMetered(context, shaped.request)
    : { answer: await sendAndRecordToken(context, shaped.request), bill: freeBill };
  await pause(faults, 'after', callerGone);
  if (callerGone.aborted) {
    return { answer: undefined, keys, bill };
  }
  const late = findEnding(faults, 'after');

  return {
    answer: late === undefined ? shaped.complete(answer) : await endWith(late, request),
    keys,
    bill,
  };
}

async function sendMetered(
  context: ExchangeContext,
  request: Request,
): Promise<{ readonly answer: Answer; readonly bill: Bill }> {
  const { target, doneTokens } = context;
  if (request.operation === 'Query' || request.operation === 'Scan') {
    const answer = await target.send(request);

    return { answer, bill: await billPage(target, request, answer) };
  }
  if (request.operation.includes('Execute')) {
    throw new Error(`The meter can't measure ${request.operation}: it does not support PartiQL.`);
  }
  const isReplay = doneTokens.has(request.body.ClientRequestToken ?? '');
  const touches = touchedItems(request, await target.schemasFor(request));
  const before = await target.readImages(request, touches);
  const answer = await sendAndRecordToken(context, request);
  const after = await target.readImages(request, touches.filter(isWrite));

  return { answer, bill: billKeyed({ request, touches, before, after, answer, isReplay }) };
}

async function sendAndRecordToken({ target, doneTokens }: ExchangeContext, request: Request) {
  const answer = await target.send(request);
  const { ClientRequestToken: token } = request.body;
  if (token !== undefined && errorName(answer) === undefined) {
    doneTokens.add(token);
  }

  return answer;
}

function isWrite({ action }: Touch): boolean {
  return action !== 'get' && action !== 'check';
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

async function endWith(fault: EndingFault, request: Request): Promise<Answer | undefined> {
  if (fault.kind === 'kill') {
    await killCaller(fault.victim);
  }

  return faultAnswer(fault, request);
}

async function killCaller(victim: number | (() => void | Promise<void>)): Promise<void> {
  if (typeof victim === 'number') {
    process.kill(victim, 'SIGKILL');

    return;
  }
  await victim();
}
