import { jsonAnswer, refusal } from '../frame/http.ts';
import type { SandboxService } from '../frame/service.ts';

/** Receives outbound webhooks: records and accepts `ANY /_sandbox/hooks/{name}`. */
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
