import { listSessions } from '#lib/features/auth/sessions.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.listSessions, async ({ caller }) => {
  const sessions = await listSessions(caller.userId);

  return {
    sessions: sessions.map((session) => ({
      ...session,
      id: session.sessionId,
      expiresAt: new Date(session.expiresAtSeconds * 1000).toISOString(),
      current: session.sessionId === caller.sessionId,
    })),
    total: sessions.length,
  };
});
