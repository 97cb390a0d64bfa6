import { randomUUID } from 'node:crypto';
import { jsonAnswer, refusal } from '../frame/http.ts';
import type { SandboxAnswer, SandboxRequest, SandboxService } from '../frame/service.ts';
import { awsHeaders, isSigned } from './aws-protocol.ts';

const maxMessageBytes = 128 * 1_024;
const connectionPath = /^\/@connections\/([^/]+)$/;
const controlPath = /^\/live\/connections\/([^/]+)$/;

/**
 * Simulates the connections of API Gateway's WebSocket API in tests without a client. The control
 * API opens and closes them.
 */
export function createLive(): SandboxService {
  const open = new Set<string>();

  return {
    name: 'live',
    mount: '/live',
    matches: ({ path }) => connectionPath.test(path),
    answer: (request) => answer(open, request),
    failure: (status, message) => failure(status, 'InternalServerErrorException', message),
    reset: () => open.clear(),
    control: [
      {
        method: 'PUT',
        path: controlPath,
        answer: (_, [id = '']) => {
          open.add(decodeURIComponent(id));

          return jsonAnswer(200, {});
        },
      },
      {
        method: 'DELETE',
        path: controlPath,
        answer: (_, [id = '']) =>
          open.delete(decodeURIComponent(id))
            ? jsonAnswer(200, {})
            : refusal(404, 'No such connection'),
      },
    ],
    sections: () => [],
  };
}

function answer(open: Set<string>, request: SandboxRequest): SandboxAnswer {
  const id = decodeURIComponent(connectionPath.exec(request.path)?.[1] ?? '');
  if (!isSigned(request)) {
    return failure(403, 'ForbiddenException', 'Missing Authentication Token');
  }
  if (!open.has(id)) {
    return failure(410, 'GoneException', '');
  }
  if (request.method === 'DELETE') {
    open.delete(id);

    return { status: 204, headers: headers(), body: '' };
  }
  if (request.method !== 'POST') {
    return { ...failure(403, 'ForbiddenException', 'Forbidden'), unexpected: true };
  }

  return request.bytes.length > maxMessageBytes
    ? failure(413, 'PayloadTooLargeException', 'Message too long')
    : { status: 200, headers: headers(), body: '' };
}

function headers(): Record<string, string> {
  return { ...awsHeaders('application/json'), 'apigw-requestid': randomUUID() };
}

function failure(status: number, type: string, message: string): SandboxAnswer {
  return {
    status,
    headers: { ...headers(), 'x-amzn-errortype': type },
    body: JSON.stringify({ message }),
  };
}
