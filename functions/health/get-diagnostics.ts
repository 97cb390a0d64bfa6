import { timestamp } from '#lib/clock.ts';
import { describeDiagnostics } from '#lib/health/diagnostics.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getDiagnostics } from '#schemas/health.ts';

export const handler = endpoint(getDiagnostics, async () => ({
  timestamp: timestamp(),
  diagnostics: await describeDiagnostics(),
}));
