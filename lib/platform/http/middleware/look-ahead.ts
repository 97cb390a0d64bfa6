import { readAhead } from '#lib/platform/db/read-ahead.ts';
import { wantedOrganizationId } from '#lib/platform/http/path-ids.ts';
import { boundedRawBody } from '#lib/platform/http/raw-body.ts';
import type { Content, HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import type { Contract } from '#schemas/contract.ts';
import { checkContent } from './validate.ts';

type KnownSoFar = {
  /** Missing for an API key, which endpoints whose reads need the user reject. */
  readonly userId: string | undefined;
  readonly organizationId: string | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
};

/**
 * Starts the operation's first reads while session and membership are loading. Their results are
 * used only after `authorize` and `validate` have passed, and discarded otherwise.
 */
export function lookAhead(
  contract: Contract,
  reads: (known: KnownSoFar) => Promise<unknown>,
): Middleware {
  return {
    before: ({ event }: HttpRequest): void => {
      const { state } = event;
      const organizationId = wantedOrganizationId(contract, event);
      const params = contract.params?.safeParse(event.pathParameters ?? {});
      const isComplete = organizationId !== undefined || contract.access.kind !== 'member';
      const userId = state.claims?.userId;
      const needsUser = contract.access.kind !== 'public' && contract.access.peopleOnly === true;
      const isUnknown = needsUser && userId === undefined;
      if (!isComplete || isUnknown || params?.success === false) {
        return;
      }
      const content = contentAhead(contract, event);
      if (!content) {
        return;
      }
      state.content = content;
      state.ahead = readAhead(async () =>
        reads({ userId, organizationId, params: params?.data ?? {}, ...content }),
      );
    },
  };
}

/** Returns the input if it is valid. If not, `jsonBody` and `validate` report it in their turn. */
function contentAhead(contract: Contract, event: HttpEvent): Content | undefined {
  try {
    const raw = contract.body ? boundedRawBody(event).toString('utf8') : '';

    return checkContent(contract, event, raw === '' ? {} : JSON.parse(raw));
  } catch {
    return undefined;
  }
}
