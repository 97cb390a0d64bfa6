import { listSessions as readSessions } from '#lib/auth/sessions.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listSessions } from '#schemas/auth.ts';

export const handler = endpoint(listSessions, async ({ caller }) => {
  const sessions = await readSessions(caller.userId);

  return {
    sessions: sessions.map((session) => ({
      ...session,
      id: session.sessionId,
      expiresAt: new Date(session.expiresAtSeconds * 1000).toISOString(),
      current: session.sessionId === caller.sessionId,
    })),
    total: sessions.length,
    message: 'Sessions retrieved successfully',
  };
});
