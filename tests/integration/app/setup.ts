import type { Contract } from '#schemas/contract.ts';
import { type CallInput, call } from '#tests/support/api.ts';

/** Calls a function of the web app that responds with bytes, and returns them as text. */
export async function callForText(contract: Contract, options: CallInput = {}) {
  const answer = await call(contract, options);

  return { ...answer, text: Buffer.from(answer.body ?? '', 'base64').toString() };
}
