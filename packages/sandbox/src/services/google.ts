import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import * as z from 'zod';
import { describeIssues, jsonAnswer, parseJson, refusal } from '../frame/http.ts';
import type { SandboxAnswer, SandboxService, ServiceContext } from '../frame/service.ts';
import { answerSignIn } from './google-sign-in-page.ts';

/** The claims of an ID token. Without `sub`, it is derived from the email address. */
const idTokenSchema = z.strictObject({
  email: z.string().min(1),
  emailVerified: z.boolean().default(true),
  sub: z.string().min(1).max(255).optional(),
  givenName: z.string().optional(),
  familyName: z.string().optional(),
  picture: z.string().optional(),
  nonce: z.string().min(1).optional(),
  aud: z.string().min(1).optional(),
  iss: z.string().min(1).default('https://accounts.google.com'),
  /** In seconds. A negative value issues an expired token. */
  expiresIn: z.int().default(3600),
});

export type IdTokenRequest = z.input<typeof idTokenSchema>;

type SigningKey = { readonly kid: string; readonly key: CryptoKey; readonly jwk: JWK };

let signingKey: Promise<SigningKey> | undefined;

async function createSigningKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const { n = '', e = '' } = await exportJWK(publicKey);
  const kid = createHash('sha1').update(n).digest('hex');

  return { kid, key: privateKey, jwk: { kid, kty: 'RSA', alg: 'RS256', use: 'sig', n, e } };
}

const certsPath = '/google/oauth2/v3/certs';
const signInPath = '/google/o/oauth2/v2/auth';

/** Simulates Google's keys and its sign-in page, and issues ID tokens. */
export function createGoogle(context: ServiceContext): SandboxService {
  const { clock, googleClientId } = context;
  const findKey = (): Promise<SigningKey> => {
    signingKey ??= createSigningKey();

    return signingKey;
  };

  return {
    name: 'google',
    matches: ({ path }) => path === certsPath || path === signInPath,
    answer: async (request) => {
      if (request.method !== 'GET') {
        return failure(405, 'Method Not Allowed');
      }
      if (request.path === signInPath) {
        return answerSignIn(request, context, async (claims) =>
          issue(idTokenSchema.parse(claims), await findKey(), clock(), googleClientId),
        );
      }
      const { jwk } = await findKey();

      return jsonAnswer(200, { keys: [jwk] }, { 'cache-control': 'public, max-age=300' });
    },
    failure,
    reset: () => {},
    control: [
      {
        method: 'POST',
        path: /^\/google\/id-tokens$/,
        answer: async ({ body }) => {
          const parsed = idTokenSchema.safeParse(parseJson(body));

          return parsed.success
            ? jsonAnswer(200, {
                idToken: await issue(parsed.data, await findKey(), clock(), googleClientId),
              })
            : refusal(400, describeIssues(parsed.error));
        },
      },
    ],
    sections: () => [],
  };
}

function issue(
  wanted: z.output<typeof idTokenSchema>,
  { kid, key }: SigningKey,
  at: Date,
  clientId: string,
): Promise<string> {
  const { email, emailVerified, givenName, familyName, picture, nonce, iss, expiresIn } = wanted;
  const { sub = subjectOf(email), aud = clientId } = wanted;
  const nowSeconds = Math.floor(at.getTime() / 1000);
  const name = [givenName, familyName].filter(Boolean).join(' ');

  return new SignJWT({
    iss,
    azp: aud,
    aud,
    sub,
    email,
    email_verified: emailVerified,
    ...(name ? { name } : {}),
    ...(givenName ? { given_name: givenName } : {}),
    ...(familyName ? { family_name: familyName } : {}),
    ...(picture ? { picture } : {}),
    ...(nonce ? { nonce } : {}),
    iat: Math.min(nowSeconds, nowSeconds + expiresIn),
    exp: nowSeconds + expiresIn,
  })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .sign(key);
}

/** Google's subjects are decimal numbers of 21 digits. */
function subjectOf(email: string): string {
  const digest = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');

  return `1${BigInt(`0x${digest}`).toString().slice(0, 20).padEnd(20, '0')}`;
}

function failure(status: number, message: string): SandboxAnswer {
  return jsonAnswer(status, { error: { code: status, message, status: 'UNAVAILABLE' } });
}
