import { ticksMs } from '#lib/platform/clock.ts';
import type { HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { flushWhenDue } from '#lib/platform/metric-store/flush-metrics.ts';
import { recordRequest } from '#lib/platform/metrics/buffer.ts';
import type { Contract } from '#schemas/contract.ts';

/**
 * Records the duration and status of a request, and writes the buffered metrics when due. Static
 * files are excluded, because their functions may not write to the table.
 */
export function requestMetrics({ method, path, role }: Contract): Middleware {
  if (role === 'static') {
    return { before: () => undefined };
  }
  const route = `${method} ${path}`;
  const finish = async ({ event, response }: HttpRequest): Promise<void> => {
    const { beganAtTicksMs, membership } = event.state;
    recordRequest({
      route,
      statusCode: response?.statusCode ?? 500,
      durationMs: ticksMs() - beganAtTicksMs,
      bytes: Buffer.byteLength(response?.body ?? ''),
      organizationId: membership?.organizationId,
    });
    await flushWhenDue();
  };

  return { after: finish, onError: finish };
}
