import { decodePart, jsonAnswer, refusal } from '../frame/http.ts';
import type { SandboxRequest, SandboxService } from '../frame/service.ts';

const path = /^\/_sandbox\/files\/([^/]+)$/;

type SandboxFile = { readonly bytes: Buffer; readonly contentType: string };

/** A web server with files: `PUT` stores one, `GET` and `HEAD` return it. */
export function createFiles(): SandboxService {
  const files = new Map<string, SandboxFile>();

  return {
    name: 'files',
    matches: (request) => path.test(request.path),
    answer: (request) => {
      const name = decodePart(path.exec(request.path)?.[1] ?? '');
      if (request.method === 'PUT') {
        files.set(name, fileOf(request));

        return jsonAnswer(200, { url: `http://${request.headers.host}${request.path}` });
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return refusal(405, 'Only PUT, GET and HEAD are supported');
      }
      const file = files.get(name);

      return file
        ? { status: 200, headers: { 'content-type': file.contentType }, body: file.bytes }
        : refusal(404, `No file ${name}`);
    },
    failure: (status, message) => refusal(status, message),
    reset: () => files.clear(),
    control: [],
    sections: () => [],
  };
}

function fileOf({ bytes, headers }: SandboxRequest): SandboxFile {
  return { bytes, contentType: headers['content-type'] ?? 'application/octet-stream' };
}
