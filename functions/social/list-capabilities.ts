import { endpoint } from '#lib/platform/http/endpoint.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { platforms } from '#schemas/platforms.ts';
import { listCapabilities } from '#schemas/social.ts';

export const handler = endpoint(listCapabilities, async () => ({
  capabilities: platforms.map((platform) => {
    return { platform, ...capabilities[platform] };
  }),
  total: platforms.length,
}));
