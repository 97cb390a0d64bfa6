import { randomUUID } from 'node:crypto';
import type { SandboxRequest } from '../frame/service.ts';

/** The headers that AWS puts on every answer. */
export function awsHeaders(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'x-amzn-requestid': randomUUID() };
}

/** Whether a call is signed; the signature itself is not checked. */
export function isSigned(request: SandboxRequest): boolean {
  return (request.headers.authorization ?? '').startsWith('AWS4-');
}
