import { randomUUID } from 'node:crypto';
import type { SandboxRequest } from '../frame/service.ts';

/** The headers that AWS adds to every response. */
export function awsHeaders(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'x-amzn-requestid': randomUUID() };
}

/** True if the request is signed. Does not verify the signature. */
export function isSigned(request: SandboxRequest): boolean {
  return (request.headers.authorization ?? '').startsWith('AWS4-');
}
