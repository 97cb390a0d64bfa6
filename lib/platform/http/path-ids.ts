import { rejectIssues } from '#lib/platform/errors/failures.ts';
import type { Access, Contract } from '#schemas/contract.ts';
import type { HttpEvent } from './request.ts';
import { issueOf, issuesIn } from './validation.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if the endpoint uses the current organization. `X-Organization-Id` can override that. */
function acceptsOrganizationHeader(access: Access): boolean {
  return (
    (access.kind === 'member' && access.organization === 'current') ||
    (access.kind === 'user' && access.organization === 'optional')
  );
}

/**
 * Returns the requested organization id, from the path or, for endpoints that use the current
 * organization, from `X-Organization-Id`. `undefined` if it is missing or not a UUID.
 */
export function wantedOrganizationId({ access }: Contract, event: HttpEvent): string | undefined {
  const named = acceptsOrganizationHeader(access)
    ? event.headers['x-organization-id']
    : event.pathParameters?.organization_id;

  return named !== undefined && uuid.test(named) ? named.toLowerCase() : undefined;
}

/**
 * True if the request contains no organization id, so the session's current organization is used.
 */
export function worksInCurrent({ access }: Contract, { headers }: HttpEvent): boolean {
  return (
    access.kind === 'member' &&
    access.organization === 'current' &&
    headers['x-organization-id'] === undefined
  );
}

/** @throws 400 for an invalid id in the path or in `X-Organization-Id`. */
export function checkIds({ access, params }: Contract, event: HttpEvent): void {
  const parsed = params?.safeParse(event.pathParameters ?? {}, { reportInput: true });
  if (parsed?.success) {
    event.state.input.params = parsed.data;
  }
  const selected = event.headers['x-organization-id'];
  const isInvalid = selected !== undefined && !uuid.test(selected);
  rejectIssues([
    ...issuesIn('path', parsed?.error?.issues ?? []),
    ...(isInvalid && acceptsOrganizationHeader(access)
      ? [issueOf('X-Organization-Id must be a valid UUID', {})]
      : []),
  ]);
}
