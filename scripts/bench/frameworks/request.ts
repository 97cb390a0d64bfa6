import jwt from 'jsonwebtoken';
import { gatewayEvent } from '../calls/gateway-event.ts';

/** The token's key and claims, as this service has them. */
export const session = {
  userId: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  sessionId: '0192f0c1-7b5c-7b22-9d55-6e7f8091a2b3',
  key: Buffer.alloc(32, 'bench'),
  keyId: 'bench',
  issuer: 'social-leads-bench',
  audience: 'social-leads-api',
} as const;

const lead = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  source: 'website',
  value: 12_500,
  notes: 'Asked for an engine that reckons by steam',
} as const;

/** A signed-in write. */
export function leadRequest(path: `/${string}`) {
  const token = jwt.sign({ sid: session.sessionId }, session.key, {
    algorithm: 'HS256',
    keyid: session.keyId,
    issuer: session.issuer,
    audience: session.audience,
    subject: session.userId,
    expiresIn: '7d',
  });

  return gatewayEvent({ method: 'POST', path }, { body: lead, token });
}
