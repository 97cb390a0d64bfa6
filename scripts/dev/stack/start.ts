import { styleText } from 'node:util';
import { workers } from '#schemas/index.ts';
import { logMode, readableLine } from './log-lines.ts';
import { portSetting, readSettings } from './settings.ts';
import { type Stack, startStack } from './stack.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * npm forwards a Ctrl-C that the terminal also sent. A second Ctrl-C by the user comes later than
 * this.
 */
const secondSignalAfterMs = 1_000;

async function main(): Promise<void> {
  const startedAtMs = performance.now();
  const settings = readSettings();
  const mode = logMode(settings.LOG);
  const stopped = stopSignal();
  const starting = startStack({
    ports: {
      api: portSetting(settings, 'PORT'),
      lambda: portSetting(settings, 'LAMBDA_PORT'),
      dynamodb: portSetting(settings, 'DYNAMODB_PORT'),
      aws: portSetting(settings, 'AWS_PORT'),
      sandbox: portSetting(settings, 'SANDBOX_PORT'),
      websocket: portSetting(settings, 'WEBSOCKET_PORT'),
    },
    settings,
    verbose: mode === 'all',
    watchesWeb: true,
    onLine: (line) => {
      const readable = readableLine(line, mode);
      if (readable !== undefined) {
        console.log(readable);
      }
    },
  });
  const stack = await Promise.race([starting, stopped]);
  if (!stack) {
    // All started parts end together with this process.
    process.exit(0);
  }
  console.log(welcome(stack, (performance.now() - startedAtMs) / 1_000));
  if (settings.INSPECT_PORT) {
    console.log(`A debugger can attach to 127.0.0.1:${settings.INSPECT_PORT}.\n`);
  }
  const lost = await Promise.race([stopped, stack.lost]);
  await stack.close();
  if (lost) {
    fail(lost);
  }
  process.exit(0);
}

/** Resolves with undefined on the first stop signal. A second signal exits immediately. */
function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = () => {
      if (firstAtMs !== undefined && performance.now() - firstAtMs > secondSignalAfterMs) {
        process.exit(1);
      }
      firstAtMs ??= performance.now();
      resolve(undefined);
    };
    for (const signal of signals) {
      process.on(signal, onSignal);
    }
  });
}

function welcome({ addresses }: Stack, seconds: number): string {
  const rows: readonly (readonly [string, string, string])[] = [
    ['Web app', `${addresses.api}/app`, 'open it in a browser, and create an account'],
    ['API', addresses.api, `documentation at ${addresses.api}/docs`],
    ['Live updates', addresses.websocket, 'see docs/live-updates.md'],
    ['Functions', addresses.lambda, 'npm run job -- due-work'],
    ['DynamoDB', addresses.dynamodb, ''],
    ['Queues, storage', addresses.aws, `feeding ${workers.length} workers`],
    [
      'Sandbox',
      addresses.sandbox,
      `emails, payments and requests at ${addresses.sandbox}/_sandbox`,
    ],
  ];
  const width = Math.max(...rows.map(([, address]) => address.length));
  const table = rows.map(([name, address, hint]) =>
    `  ${name.padEnd(16)} ${address.padEnd(width)}  ${styleText('dim', hint)}`.trimEnd(),
  );

  return [
    '',
    `Social Leads is running (started in ${seconds.toFixed(1)} s). Press Ctrl-C to stop.`,
    '',
    ...table,
    '',
    'A first request:',
    '',
    firstRequest(addresses.api),
    '',
  ].join('\n');
}

function firstRequest(api: string): string {
  const body = {
    email: 'ada@example.com',
    password: 'correct horse battery',
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationName: 'Analytical Engines',
    timezone: 'Europe/London',
    paymentMethodId: 'pm_card_visa',
  };

  return `  curl -s ${api}/auth/signup -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}

function fail(reason: unknown): never {
  console.error(
    styleText('red', `Social Leads: ${reason instanceof Error ? reason.message : reason}`),
  );
  process.exit(1);
}

await main().catch(fail);
