import { badRequest } from '#lib/platform/errors/failures.ts';
import type { Access, Contract } from '#schemas/contract.ts';
import type { HttpEvent } from './request.ts';
import { describeIssues } from './validation.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the endpoint works in the current organization, which the header may replace. */
function hearsHeader(access: Access): boolean {
  return (
    (access.kind === 'member' && access.organization === 'current') ||
    (access.kind === 'user' && access.organization === 'optional')
  );
}

/**
 * The organization that a request names: in its path, or in `X-Organization-Id` where the endpoint
 * works in the current one. `undefined` too where what it names is no id.
 */
export function wantedOrganizationId({ access }: Contract, event: HttpEvent): string | undefined {
  const named = hearsHeader(access)
    ? event.headers['x-organization-id']
    : event.pathParameters?.organization_id;

  return named !== undefined && uuid.test(named) ? named.toLowerCase() : undefined;
}

/** Whether the organization is the session's current one: the request names none. */
export function worksInCurrent({ access }: Contract, { headers }: HttpEvent): boolean {
  return (
    access.kind === 'member' &&
    access.organization === 'current' &&
    headers['x-organization-id'] === undefined
  );
}

/** @throws 400 for an id in the path, or in `X-Organization-Id`, that is none. */
export function checkIds({ access, params }: Contract, event: HttpEvent): void {
  const messages: string[] = [];
  const parsed = params?.safeParse(event.pathParameters ?? {}, { reportInput: true });
  if (parsed?.success) {
    event.state.input.params = parsed.data;
  }
  messages.push(...describeIssues(parsed?.error?.issues ?? []));
  const selected = event.headers['x-organization-id'];
  if (hearsHeader(access) && selected !== undefined && !uuid.test(selected)) {
    messages.push('X-Organization-Id must be a valid UUID');
  }
  if (messages.length > 0) {
    throw badRequest(...messages);
  }
}
