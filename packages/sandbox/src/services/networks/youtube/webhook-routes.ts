import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { isoNow, type NetworkWorld } from '../network-world.ts';
import { type Lease, leases, maximumLeaseSeconds, verify } from './events.ts';

const topic = /^https:\/\/www\.youtube\.com\/(?:xml\/)?feeds\/videos\.xml\?channel_id=(.+)$/;

/** Google's WebSub hub. */
export const webhookRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/subscribe$/, answer: subscribe },
];

/** Accepts the request, then verifies it with the callback. */
function subscribe({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);
  const mode = form.get('hub.mode') ?? '';
  const callbackUrl = form.get('hub.callback') ?? '';
  const channelId = topic.exec(form.get('hub.topic') ?? '')?.[1];

  if (!['subscribe', 'unsubscribe'].includes(mode)) {
    return plain(400, 'Invalid value for hub.mode');
  }

  if (!URL.canParse(callbackUrl)) {
    return plain(400, 'Invalid parameter: hub.callback');
  }

  if (channelId === undefined) {
    return plain(400, 'Invalid parameter: hub.topic');
  }

  const leaseSeconds = Math.min(
    Number(form.get('hub.lease_seconds') ?? maximumLeaseSeconds),
    maximumLeaseSeconds,
  );
  const hubRequest = {
    mode,
    channelId,
    verifyToken: form.get('hub.verify_token') ?? undefined,
    leaseSeconds,
  };
  void verify(callbackUrl, hubRequest).then(({ isAccepted }) => {
    if (isAccepted) {
      const until = world.clock().getTime() + leaseSeconds * 1_000;
      applyRequest(world, hubRequest, { callbackUrl, secret: form.get('hub.secret') ?? '', until });
    }
  });

  return plain(202, '');
}

function applyRequest(
  world: NetworkWorld,
  { mode, channelId }: { readonly mode: string; readonly channelId: string },
  lease: Lease,
): void {
  if (mode === 'unsubscribe') {
    leases(world).delete(channelId);
    world.subscriptions.delete(channelId);

    return;
  }

  leases(world).set(channelId, lease);
  world.subscriptions.set(channelId, {
    userId: channelId,
    fields: ['videos'],
    callbackUrl: lease.callbackUrl,
    at: isoNow(world),
  });
}

function plain(status: number, body: string): SandboxAnswer {
  return { status, headers: { 'content-type': 'text/plain' }, body };
}
