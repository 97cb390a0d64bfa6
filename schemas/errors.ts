export const errorKinds = {
  badRequest: { statusCode: 400, error: 'Bad Request' },
  unauthorized: { statusCode: 401, error: 'Unauthorized' },
  paymentRequired: { statusCode: 402, error: 'Payment Required' },
  forbidden: { statusCode: 403, error: 'Forbidden' },
  notFound: { statusCode: 404, error: 'Not Found' },
  methodNotAllowed: { statusCode: 405, error: 'Method Not Allowed' },
  conflict: { statusCode: 409, error: 'Conflict' },
  payloadTooLarge: { statusCode: 413, error: 'Payload Too Large' },
  unsupportedMediaType: { statusCode: 415, error: 'Unsupported Media Type' },
  unprocessable: { statusCode: 422, error: 'Unprocessable Entity' },
  tooManyRequests: { statusCode: 429, error: 'Too Many Requests' },
  internal: { statusCode: 500, error: 'Internal Server Error' },
  upstream: { statusCode: 502, error: 'Bad Gateway' },
  overloaded: { statusCode: 503, error: 'Service Unavailable' },
} as const satisfies Record<string, { readonly statusCode: number; readonly error: string }>;

export type ErrorKind = keyof typeof errorKinds;

/** The resources that can be missing, by their names in 404 messages, with their codes. */
export const notFoundCodes = {
  Organization: 'ORGANIZATION_NOT_FOUND',
  'A/B test': 'A_B_TEST_NOT_FOUND',
  'AI agent': 'AI_AGENT_NOT_FOUND',
  Asset: 'ASSET_NOT_FOUND',
  'Bio link': 'BIO_LINK_NOT_FOUND',
  'Calendar feed': 'CALENDAR_FEED_NOT_FOUND',
  Campaign: 'CAMPAIGN_NOT_FOUND',
  'Connect link': 'CONNECT_LINK_NOT_FOUND',
  Contact: 'CONTACT_NOT_FOUND',
  'Content group': 'CONTENT_GROUP_NOT_FOUND',
  'Content post': 'CONTENT_POST_NOT_FOUND',
  Conversation: 'CONVERSATION_NOT_FOUND',
  'Custom field': 'CUSTOM_FIELD_NOT_FOUND',
  Delivery: 'DELIVERY_NOT_FOUND',
  Erasure: 'ERASURE_NOT_FOUND',
  Form: 'FORM_NOT_FOUND',
  Format: 'FORMAT_NOT_FOUND',
  Import: 'IMPORT_NOT_FOUND',
  Incident: 'INCIDENT_NOT_FOUND',
  Invitation: 'INVITATION_NOT_FOUND',
  Key: 'API_KEY_NOT_FOUND',
  'Knowledge gap': 'KNOWLEDGE_GAP_NOT_FOUND',
  'Knowledge source': 'KNOWLEDGE_SOURCE_NOT_FOUND',
  Lead: 'LEAD_NOT_FOUND',
  Maintenance: 'MAINTENANCE_NOT_FOUND',
  Media: 'MEDIA_NOT_FOUND',
  Member: 'MEMBER_NOT_FOUND',
  Message: 'MESSAGE_NOT_FOUND',
  'Moderation rule': 'MODERATION_RULE_NOT_FOUND',
  Note: 'NOTE_NOT_FOUND',
  'OAuth session': 'OAUTH_SESSION_NOT_FOUND',
  'Payment method': 'PAYMENT_METHOD_NOT_FOUND',
  Pipeline: 'PIPELINE_NOT_FOUND',
  'Prompt template': 'PROMPT_TEMPLATE_NOT_FOUND',
  'Saved reply': 'SAVED_REPLY_NOT_FOUND',
  Segment: 'SEGMENT_NOT_FOUND',
  Service: 'SERVICE_NOT_FOUND',
  Session: 'SESSION_NOT_FOUND',
  'Social account': 'SOCIAL_ACCOUNT_NOT_FOUND',
  Stage: 'STAGE_NOT_FOUND',
  Webhook: 'WEBHOOK_NOT_FOUND',
  'Webhook subscription': 'WEBHOOK_SUBSCRIPTION_NOT_FOUND',
} as const;

/** The name of a resource in the message of its 404. */
export type Resource = keyof typeof notFoundCodes;
type NotFoundCode = (typeof notFoundCodes)[Resource];

const notFoundEntries = Object.fromEntries(
  Object.values(notFoundCodes).map((code) => [code, 'notFound']),
) as Readonly<Record<NotFoundCode, 'notFound'>>;

/** The codes for a name that is taken, by what has the name. Their texts follow from it. */
export const takenNameCodes = {
  segment: 'SEGMENT_NAME_EXISTS',
  agent: 'AGENT_NAME_EXISTS',
  template: 'TEMPLATE_NAME_EXISTS',
  'saved reply': 'SAVED_REPLY_NAME_EXISTS',
} as const;

type TakenNameCode = (typeof takenNameCodes)[keyof typeof takenNameCodes];

const takenNameEntries = Object.fromEntries(
  Object.values(takenNameCodes).map((code) => [code, 'conflict']),
) as Readonly<Record<TakenNameCode, 'conflict'>>;

/**
 * The closed catalog of error codes, with the kind of each. A code never changes its meaning or its
 * status.
 */
export const errorCodes = {
  VALIDATION_FAILED: 'badRequest',
  BODY_INVALID: 'badRequest',
  LAST_OWNER: 'badRequest',
  CARD_REFUSED: 'badRequest',
  CAPABILITY_UNSUPPORTED: 'badRequest',
  PLATFORM_REJECTED: 'badRequest',
  AUTHENTICATION_REQUIRED: 'unauthorized',
  SESSION_INVALID: 'unauthorized',
  CREDENTIALS_INVALID: 'unauthorized',
  TWO_FACTOR_REQUIRED: 'unauthorized',
  TWO_FACTOR_CODE_INVALID: 'unauthorized',
  CHALLENGE_TOKEN_INVALID: 'unauthorized',
  GOOGLE_TOKEN_INVALID: 'unauthorized',
  PLATFORM_TOKEN_INVALID: 'unauthorized',
  SIGNATURE_INVALID: 'unauthorized',
  CARD_DECLINED: 'paymentRequired',
  PAYMENT_ACTION_REQUIRED: 'paymentRequired',
  ROLE_INSUFFICIENT: 'forbidden',
  PERSON_REQUIRED: 'forbidden',
  ORGANIZATION_SUSPENDED: 'forbidden',
  CROSS_SITE_REQUEST: 'forbidden',
  INVITATION_ADDRESS_MISMATCH: 'forbidden',
  EMAIL_UNVERIFIED: 'forbidden',
  TWO_FACTOR_UNAVAILABLE: 'forbidden',
  CONSENT_PROOF_INVALID: 'forbidden',
  PLATFORM_PERMISSION_MISSING: 'forbidden',
  WEBHOOK_VERIFICATION_FAILED: 'forbidden',
  ROUTE_NOT_FOUND: 'notFound',
  BILLING_NOT_SET_UP: 'notFound',
  SUBSCRIPTION_NOT_FOUND: 'notFound',
  SIGNUP_REQUIRED: 'notFound',
  METHOD_NOT_ALLOWED: 'methodNotAllowed',
  EMAIL_TAKEN: 'conflict',
  ACCOUNT_EXISTS: 'conflict',
  ALREADY_MEMBER: 'conflict',
  SOLE_OWNER: 'conflict',
  TOO_MANY_ORGANIZATIONS: 'conflict',
  LEAD_EXISTS: 'conflict',
  CONTACT_EXISTS: 'conflict',
  CUSTOM_FIELD_EXISTS: 'conflict',
  ...takenNameEntries,
  KEYWORD_IN_USE: 'conflict',
  CONTENT_KEYWORD_EXISTS: 'conflict',
  SOCIAL_ACCOUNT_CONNECTED: 'conflict',
  SOCIAL_ACCOUNT_INACTIVE: 'conflict',
  BILLING_ALREADY_SET_UP: 'conflict',
  SUBSCRIPTION_EXISTS: 'conflict',
  PLAN_UNCHANGED: 'conflict',
  CREDITS_INSUFFICIENT: 'conflict',
  EXTERNAL_ID_TAKEN: 'conflict',
  QUOTA_EXCEEDED: 'conflict',
  IN_USE: 'conflict',
  REPLY_WINDOW_CLOSED: 'conflict',
  WRONG_STATE: 'conflict',
  OVERTAKEN: 'conflict',
  IDEMPOTENCY_IN_PROGRESS: 'conflict',
  BODY_TOO_LARGE: 'payloadTooLarge',
  CONTENT_TYPE_UNSUPPORTED: 'unsupportedMediaType',
  IDEMPOTENCY_KEY_REUSED: 'unprocessable',
  RATE_LIMITED: 'tooManyRequests',
  INTERNAL_ERROR: 'internal',
  PAYMENT_SERVICE_UNAVAILABLE: 'upstream',
  AI_SERVICE_UNAVAILABLE: 'upstream',
  SOCIAL_PLATFORM_UNAVAILABLE: 'upstream',
  GOOGLE_UNAVAILABLE: 'upstream',
  OVERLOADED: 'overloaded',
  ...notFoundEntries,
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCodes;

/** The codes of a kind of error. All codes of a kind have the same status. */
export type CodeOf<Kind extends ErrorKind> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code] extends Kind ? Code : never;
}[ErrorCode];

/** The ways in which a field can be invalid. */
export const issueRules = [
  'format',
  'required',
  'type',
  'min',
  'max',
  'enum',
  'unknown',
  'conflict',
  'rule',
] as const;
export type IssueRule = (typeof issueRules)[number];

export const issuePlaces = ['body', 'query', 'path', 'header'] as const;
export type IssuePlace = (typeof issuePlaces)[number];

/** One entry in the message of a VALIDATION_FAILED error. */
export type Issue = {
  readonly in: IssuePlace;
  /** The dotted path. Empty if the whole body is invalid. */
  readonly path: string;
  readonly rule: IssueRule;
  readonly message: string;
};
