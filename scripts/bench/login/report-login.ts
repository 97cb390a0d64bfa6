import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { startServices } from '#scripts/dev/stack/services.ts';
import { projectPath } from '#scripts/project.ts';
import { forkProbe } from '../fork-probe.ts';
import { benchSettings } from '../function-environment.ts';
import type { Section } from '../section.ts';
import { median, probabilityOfMore, quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';
import type { LoginTimes } from './login-probe.ts';

const rounds = 300;
const quickRounds = 30;
const timeoutMs = 30 * 60_000;
const maxDeviation = 0.05;

/** The deployed settings, but without lockouts for the many attempts. */
const settings = {
  ...benchSettings,
  BCRYPT_COST: '12',
  LOGIN_LIMIT_PER_ADDRESS: '100000',
  LOGIN_LIMIT_PER_IP: '100000',
};

/**
 * Checks whether the duration of a failed login reveals if an address is registered. Tries both
 * kinds alternately through the real handler against the development table.
 */
export async function reportLogin(isQuick: boolean): Promise<Section> {
  const { known, unknown } = await timeLogins(isQuick ? quickRounds : rounds);
  const ratio = median(known) / median(unknown);
  const auc = probabilityOfMore(known, unknown);
  const lines = [
    `Ratio of medians, known to unknown: ${ratio.toFixed(3)}; target: within ${maxDeviation * 100} %`,
    `AUC: ${auc.toFixed(3)}, 0.5 means indistinguishable; target: ${0.5 - maxDeviation} to ${0.5 + maxDeviation}`,
  ];

  return {
    title: `Login: ${known.length} wrong passwords each for a known and an unknown address`,
    text: `${formatRows({ known, unknown })}\n\n${lines.join('\n')}`,
    misses: [
      ...(Math.abs(ratio - 1) > maxDeviation ? ['the medians reveal which address is known'] : []),
      ...(Math.abs(auc - 0.5) > maxDeviation ? ['the times reveal which address is known'] : []),
    ],
    metrics: {},
  };
}

async function timeLogins(number: number): Promise<LoginTimes> {
  const services = await startServices({ ports: { dynamodb: 0, aws: 0, sandbox: 0 }, settings });
  try {
    const addresses = { api: 'http://localhost:3000', ...services.addresses };
    const probe = projectPath('scripts/bench/login/login-probe.ts');

    return await forkProbe<LoginTimes>(
      probe,
      [String(number)],
      localEnvironment(addresses, settings),
      timeoutMs,
    );
  } finally {
    await services.close();
  }
}

function formatRows({ known, unknown }: LoginTimes): string {
  const rows = [
    { name: 'known', times: known },
    { name: 'unknown', times: unknown },
  ];

  return formatTable(rows, [
    { title: 'address', value: ({ name }) => name },
    { title: 'median ms', value: ({ times }) => median(times).toFixed(1) },
    { title: 'p5 ms', value: ({ times }) => quantile(times, 0.05).toFixed(1) },
    { title: 'p95 ms', value: ({ times }) => quantile(times, 0.95).toFixed(1) },
  ]);
}
