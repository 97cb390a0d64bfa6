import { describeDiagnostics } from '#lib/features/health/organization/diagnostics.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getDiagnostics } from '#schemas/health.ts';

export const handler = endpoint(getDiagnostics, async () => ({
  timestamp: timestamp(),
  diagnostics: await describeDiagnostics(),
}));
