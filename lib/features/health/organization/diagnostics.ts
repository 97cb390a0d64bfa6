import os from 'node:os';
import { type Checked, checkServices } from '#lib/features/health/services/check-services.ts';
import type { Probed } from '#lib/features/health/services/probes.ts';
import { typeOf } from '#lib/features/health/services/service-details.ts';
import { config } from '#lib/platform/config.ts';
import { version } from '#lib/platform/version.ts';

export async function describeDiagnostics() {
  const { results } = await checkServices();
  const describeResult = (name: Probed | 'social') => describe(results, name);

  return {
    system: { os: os.type(), version: os.version(), kernel: os.release(), architecture: os.arch() },
    runtime: {
      node: process.version,
      v8: process.versions.v8,
      platform: process.platform,
      arch: process.arch,
    },
    application: {
      name: 'social-leads',
      version,
      environment: config.stage,
      uptime: process.uptime(),
    },
    dependencies: {
      database: describeResult('database'),
      redis: 'None: each instance caches in memory',
      stripe: describeResult('payment'),
      social: describeResult('social'),
      ai: describeResult('ai'),
      email: describeResult('email'),
      queue: describeResult('queue'),
      storage: describeResult('storage'),
      secrets: describeResult('secrets'),
    },
  };
}

function describe(results: Checked['results'], name: Probed | 'social'): string {
  const { status, responseTime, error } = results[name];

  return `${typeOf(name)}: ${status}, ${error ?? `${Math.round(responseTime)} ms`}`;
}
