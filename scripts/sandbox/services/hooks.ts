import { jsonAnswer, refusal } from '../frame/http.ts';
import type { SandboxService } from '../frame/service.ts';

/** A receiver for outbound webhooks: `ANY /_sandbox/hooks/{name}` is recorded and accepted. */
export function createHooks(): SandboxService {
  return {
    name: 'hooks',
    matches: (request) => /^\/_sandbox\/hooks\/[^/]+$/.test(request.path),
    answer: () => jsonAnswer(200, { received: true }),
    failure: (status, message) => refusal(status, message),
    reset: () => {},
    control: [],
    sections: () => [],
  };
}
