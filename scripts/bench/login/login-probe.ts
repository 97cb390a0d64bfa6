import { logIn } from '#schemas/auth.ts';
import { freshEmail, signUpBody } from '#scripts/fixtures/accounts.ts';
import { plantAccount } from '#scripts/fixtures/planted-account.ts';
import { loadHandler } from '../calls/driver.ts';
import { gatewayEvent, lambdaContext } from '../calls/gateway-event.ts';

/** The duration of each failed login in milliseconds. */
export type LoginTimes = { readonly known: readonly number[]; readonly unknown: readonly number[] };

const warmUpRounds = 5;

const rounds = Number(process.argv[2]);
const handler = await loadHandler('auth', 'log-in');
const { email: known } = await plantAccount(signUpBody());
const unknown = freshEmail();

async function timeOneMs(email: string): Promise<number> {
  const event = gatewayEvent(logIn, { body: { email, password: 'another horse battery' } });
  const startedAtMs = performance.now();
  const { statusCode } = (await handler(event, lambdaContext())) as { statusCode: number };
  const tookMs = performance.now() - startedAtMs;
  if (statusCode !== 401) {
    throw new Error(`A wrong password returned ${statusCode}`);
  }

  return tookMs;
}

const times = { known: [] as number[], unknown: [] as number[] };
for (let round = 0; round < warmUpRounds + rounds; round += 1) {
  // Alternates the order, because the second login may take a different time than the first.
  const order = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
  for (const kind of order) {
    const tookMs = await timeOneMs(kind === 'known' ? known : unknown);
    if (round >= warmUpRounds) {
      times[kind].push(tookMs);
    }
  }
}
process.send?.(times, () => process.exit());
