import { type ErrorCode, notFoundCodes, takenNameCodes } from './errors.ts';

type ErrorText = {
  /** Why the request was rejected, as a sentence. */
  readonly meaning: string;
  /** What the caller can do. */
  readonly advice: string;
};

const retry = 'Read the current state, then decide whether to send the request again.';
const retryLater = 'Retry after a moment, with the same `Idempotency-Key`.';

/** The name of a resource within a sentence: in lower case, unless it starts with an acronym. */
function inSentence(resource: string): string {
  return /^.[a-z]/.test(resource) ? resource.charAt(0).toLowerCase() + resource.slice(1) : resource;
}

/**
 * Explains the codes in the documentation. Separate from the codes, so that no function loads these
 * texts.
 */
export const errorTexts = {
  VALIDATION_FAILED: {
    meaning: 'Fields, parameters or headers are invalid.',
    advice: 'Correct what `issues` lists. Each issue names its field and the broken rule.',
  },
  BODY_INVALID: {
    meaning: 'The body is not what the endpoint can parse, usually a JSON object.',
    advice: 'Send a JSON object with `Content-Type: application/json`.',
  },
  LAST_OWNER: {
    meaning: 'The organization would lose its last owner.',
    advice: 'Make another member an owner first.',
  },
  CARD_REFUSED: {
    meaning: 'The payment provider declined the card of a signup.',
    advice: 'Ask for another card. Nothing was created.',
  },
  CAPABILITY_UNSUPPORTED: {
    meaning: 'The network does not support this.',
    advice: 'Check `GET /social/capabilities` before offering it.',
  },
  PLATFORM_REJECTED: {
    meaning: 'The network rejected the request.',
    advice: 'Show the message, which contains the reason of the network.',
  },
  AUTHENTICATION_REQUIRED: {
    meaning: 'The request has no credentials.',
    advice: 'Sign in, or send a session token or an API key.',
  },
  SESSION_INVALID: {
    meaning: 'The session token or API key is invalid, expired or revoked.',
    advice: 'Sign in again, or use another API key.',
  },
  CREDENTIALS_INVALID: {
    meaning: 'The email address or the password is wrong.',
    advice: 'Ask for the password again.',
  },
  TWO_FACTOR_REQUIRED: {
    meaning: 'The user has two-factor authentication.',
    advice:
      'Send `challengeToken` with a code to `POST /auth/login/two-factor` within five minutes.',
  },
  TWO_FACTOR_CODE_INVALID: {
    meaning: 'The code of a sign-in is wrong or was already used.',
    advice: 'Ask for the next code.',
  },
  CHALLENGE_TOKEN_INVALID: {
    meaning: 'The challenge token is unknown, used or expired.',
    advice: 'Start the sign-in again.',
  },
  GOOGLE_TOKEN_INVALID: {
    meaning: 'The Google ID token is invalid, expired or of another account.',
    advice: 'Let the user sign in with Google again.',
  },
  PLATFORM_TOKEN_INVALID: {
    meaning: 'The network no longer accepts the token of the social account.',
    advice: 'Let a person connect the account again.',
  },
  SIGNATURE_INVALID: {
    meaning: 'The signature does not match the body, or is too old.',
    advice: 'Check the secret. Sign the exact bytes that are sent.',
  },
  CARD_DECLINED: {
    meaning: 'The payment provider declined the payment. Nothing was changed.',
    advice: 'Ask for another card.',
  },
  PAYMENT_ACTION_REQUIRED: {
    meaning: 'The bank wants the customer to confirm the payment. Nothing was changed.',
    advice:
      'Let the customer confirm the card with a setup intent and add it again, or use another card.',
  },
  ROLE_INSUFFICIENT: {
    meaning: "The caller's role does not allow this.",
    advice: 'Ask an owner or admin of the organization.',
  },
  PERSON_REQUIRED: {
    meaning: 'The request uses an API key, and the endpoint needs a signed-in user.',
    advice: 'Let a person do this in the app.',
  },
  ORGANIZATION_SUSPENDED: {
    meaning: 'The operator of the service has suspended the organization.',
    advice: 'Contact the company that provides the service.',
  },
  CROSS_SITE_REQUEST: {
    meaning: 'A request from another site authenticated only with the cookie.',
    advice: 'Send the request from an allowed origin, or with a token.',
  },
  INVITATION_ADDRESS_MISMATCH: {
    meaning: 'The invitation was sent to another email address.',
    advice: 'Sign in as the invited person.',
  },
  EMAIL_UNVERIFIED: {
    meaning: 'The user has not verified their email address.',
    advice: 'Verify the address with `POST /auth/email/verification`, then repeat the request.',
  },
  TWO_FACTOR_UNAVAILABLE: {
    meaning: 'The user signs in with Google, which has its own second factor.',
    advice: 'Turn on two-step verification at Google.',
  },
  CONSENT_PROOF_INVALID: {
    meaning: '`finish` is missing or wrong, and the OAuth session is READY.',
    advice: 'Continue in the browser that came back from the network, or start again.',
  },
  PLATFORM_PERMISSION_MISSING: {
    meaning: 'The social account has not granted a permission that the request needs.',
    advice: 'Let a person connect the account again and grant all permissions.',
  },
  WEBHOOK_VERIFICATION_FAILED: {
    meaning: 'The verification token of the webhook is wrong.',
    advice: 'Enter the verification token of the service at the network.',
  },
  ROUTE_NOT_FOUND: {
    meaning: 'No operation has this method and path.',
    advice: 'Check both with the OpenAPI document.',
  },
  BILLING_NOT_SET_UP: {
    meaning: 'The organization has no billing account.',
    advice: 'Call `POST /billing/setup` first.',
  },
  SUBSCRIPTION_NOT_FOUND: {
    meaning: 'The organization has no active subscription.',
    advice: 'Call `POST /billing/subscription` first.',
  },
  SIGNUP_REQUIRED: {
    meaning: 'Nobody has this address, and the fields of a signup are missing.',
    advice: 'Repeat the request with the fields of a signup.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path takes another method.',
    advice: 'Use the method in `Allow`.',
  },
  EMAIL_TAKEN: {
    meaning: 'A user has this email address.',
    advice: 'Sign in, or use another address.',
  },
  ACCOUNT_EXISTS: {
    meaning: 'A user has this address, or uses this Google account.',
    advice: 'Sign in first, then repeat the request.',
  },
  ALREADY_MEMBER: {
    meaning: 'The person is already a member of the organization.',
    advice: 'Change the role of the member instead.',
  },
  SOLE_OWNER: {
    meaning: 'The user is the only owner of organizations with other members.',
    advice: 'Make another member of each of `organizations` an owner, or delete it.',
  },
  TOO_MANY_ORGANIZATIONS: {
    meaning: 'The user owns too many organizations to be deleted at once.',
    advice: 'Leave or delete some of them first.',
  },
  LEAD_EXISTS: {
    meaning: 'The contact already has a lead in this pipeline.',
    advice: 'Update the existing lead.',
  },
  CONTACT_EXISTS: {
    meaning: 'Another contact has this email address.',
    advice: 'Update or merge the existing contact.',
  },
  CUSTOM_FIELD_EXISTS: {
    meaning: 'A custom field has this key.',
    advice: 'Use the existing field, or another key.',
  },
  ...Object.fromEntries(
    Object.entries(takenNameCodes).map(([record, code]) => [
      code,
      { meaning: `Another ${record} has this name.`, advice: 'Choose another name.' },
    ]),
  ),
  KEYWORD_IN_USE: {
    meaning: 'Another active campaign of the account uses a keyword.',
    advice: 'Choose another keyword, or change the campaign in `conflictingCampaign`.',
  },
  CONTENT_KEYWORD_EXISTS: {
    meaning: 'Another post has this keyword.',
    advice: 'Choose another keyword.',
  },
  SOCIAL_ACCOUNT_CONNECTED: {
    meaning: 'The social account is already connected, here or to another organization.',
    advice: 'Disconnect it there first.',
  },
  SOCIAL_ACCOUNT_INACTIVE: {
    meaning: 'The social account is not active.',
    advice: 'Let a person connect the account again.',
  },
  BILLING_ALREADY_SET_UP: {
    meaning: 'The organization has a billing account.',
    advice: 'Use it.',
  },
  SUBSCRIPTION_EXISTS: {
    meaning: 'The organization has a subscription.',
    advice: 'Change its plan with `PATCH /billing/subscription`.',
  },
  PLAN_UNCHANGED: {
    meaning: 'The subscription already has this plan.',
    advice: 'Choose another plan.',
  },
  CREDITS_INSUFFICIENT: {
    meaning: 'The organization has fewer credits than should be taken.',
    advice: 'Take at most the credits that no reply has reserved.',
  },
  EXTERNAL_ID_TAKEN: {
    meaning: 'Another organization has this `externalId`.',
    advice: 'Find it with `GET /platform/organizations?externalId=`.',
  },
  QUOTA_EXCEEDED: {
    meaning: 'There is no room for another record. `quota` has the name and the limit.',
    advice: 'Delete records that are no longer needed.',
  },
  IN_USE: {
    meaning: 'Something else refers to the resource.',
    advice: 'Change or delete what refers to it first.',
  },
  REPLY_WINDOW_CLOSED: {
    meaning: 'The network no longer allows a reply in this conversation.',
    advice: 'Wait until the customer writes again.',
  },
  WRONG_STATE: {
    meaning: 'The current state of the resource, in `state`, does not allow this.',
    advice: 'Bring the resource into another state first, or offer something else.',
  },
  OVERTAKEN: {
    meaning: 'A concurrent request changes, or has changed, the same resource.',
    advice: retry,
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'The first request with this `Idempotency-Key` is still being processed.',
    advice: retryLater,
  },
  BODY_TOO_LARGE: {
    meaning: 'The body is larger than 1 MiB.',
    advice: 'Send less at once. Upload files instead.',
  },
  CONTENT_TYPE_UNSUPPORTED: {
    meaning: 'The endpoint does not accept this content type.',
    advice: 'Send `Content-Type: application/json`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'The `Idempotency-Key` was already used with a different body.',
    advice: 'Use a new key for each new request.',
  },
  RATE_LIMITED: {
    meaning: 'A rate limit was exceeded.',
    advice: 'Wait for the seconds in `Retry-After`.',
  },
  INTERNAL_ERROR: {
    meaning: 'An unexpected error. We log it with the request ID.',
    advice: 'Retry later. If it persists, report `requestId`.',
  },
  PAYMENT_SERVICE_UNAVAILABLE: {
    meaning: 'The payment provider is unavailable or slow.',
    advice: retryLater,
  },
  AI_SERVICE_UNAVAILABLE: {
    meaning: 'The AI service is unavailable or slow.',
    advice: retryLater,
  },
  SOCIAL_PLATFORM_UNAVAILABLE: {
    meaning: 'The network, or the server of a medium, is unavailable or slow.',
    advice: retryLater,
  },
  GOOGLE_UNAVAILABLE: {
    meaning: "Google's keys are unavailable.",
    advice: retryLater,
  },
  OVERLOADED: {
    meaning: 'The service is busy.',
    advice: 'Wait for the seconds in `Retry-After`, then repeat the request.',
  },
  ...Object.fromEntries(
    Object.entries(notFoundCodes).map(([resource, code]) => [
      code,
      {
        meaning:
          resource === 'Organization'
            ? 'The organization does not exist, or the caller is not a member.'
            : `The ${inSentence(resource)} does not exist, or it belongs to another organization.`,
        advice: 'Check the id, and that the caller has access to its organization.',
      },
    ]),
  ),
} as Readonly<Record<ErrorCode, ErrorText>>;
