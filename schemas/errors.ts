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
  Object.values(notFoundCodes).map((code) => [code, { kind: 'notFound' }]),
) as Readonly<Record<NotFoundCode, { readonly kind: 'notFound' }>>;

/** The codes for a name that is taken, by what has the name. Their texts follow from it. */
export const takenNameCodes = {
  segment: 'SEGMENT_NAME_EXISTS',
  agent: 'AGENT_NAME_EXISTS',
  template: 'TEMPLATE_NAME_EXISTS',
  'saved reply': 'SAVED_REPLY_NAME_EXISTS',
} as const;

type TakenNameCode = (typeof takenNameCodes)[keyof typeof takenNameCodes];

const takenNameEntries = Object.fromEntries(
  Object.values(takenNameCodes).map((code) => [code, { kind: 'conflict' }]),
) as Readonly<Record<TakenNameCode, { readonly kind: 'conflict' }>>;

/** The closed catalog of error codes. A code never changes its meaning or its status. */
export const errorCodes = {
  VALIDATION_FAILED: { kind: 'badRequest' },
  BODY_INVALID: { kind: 'badRequest' },
  LAST_OWNER: { kind: 'badRequest' },
  CARD_REFUSED: { kind: 'badRequest' },
  CAPABILITY_UNSUPPORTED: { kind: 'badRequest' },
  PLATFORM_REJECTED: { kind: 'badRequest' },
  AUTHENTICATION_REQUIRED: { kind: 'unauthorized' },
  SESSION_INVALID: { kind: 'unauthorized' },
  CREDENTIALS_INVALID: { kind: 'unauthorized' },
  TWO_FACTOR_REQUIRED: { kind: 'unauthorized' },
  TWO_FACTOR_CODE_INVALID: { kind: 'unauthorized' },
  CHALLENGE_TOKEN_INVALID: { kind: 'unauthorized' },
  GOOGLE_TOKEN_INVALID: { kind: 'unauthorized' },
  PLATFORM_TOKEN_INVALID: { kind: 'unauthorized' },
  SIGNATURE_INVALID: { kind: 'unauthorized' },
  CARD_DECLINED: { kind: 'paymentRequired' },
  PAYMENT_ACTION_REQUIRED: { kind: 'paymentRequired' },
  ROLE_INSUFFICIENT: { kind: 'forbidden' },
  PERSON_REQUIRED: { kind: 'forbidden' },
  ORGANIZATION_SUSPENDED: { kind: 'forbidden' },
  CROSS_SITE_REQUEST: { kind: 'forbidden' },
  INVITATION_ADDRESS_MISMATCH: { kind: 'forbidden' },
  EMAIL_UNVERIFIED: { kind: 'forbidden' },
  TWO_FACTOR_UNAVAILABLE: { kind: 'forbidden' },
  CONSENT_PROOF_INVALID: { kind: 'forbidden' },
  PLATFORM_PERMISSION_MISSING: { kind: 'forbidden' },
  WEBHOOK_VERIFICATION_FAILED: { kind: 'forbidden' },
  ROUTE_NOT_FOUND: { kind: 'notFound' },
  BILLING_NOT_SET_UP: { kind: 'notFound' },
  SUBSCRIPTION_NOT_FOUND: { kind: 'notFound' },
  SIGNUP_REQUIRED: { kind: 'notFound' },
  METHOD_NOT_ALLOWED: { kind: 'methodNotAllowed' },
  EMAIL_TAKEN: { kind: 'conflict' },
  ACCOUNT_EXISTS: { kind: 'conflict' },
  ALREADY_MEMBER: { kind: 'conflict' },
  SOLE_OWNER: { kind: 'conflict' },
  TOO_MANY_ORGANIZATIONS: { kind: 'conflict' },
  LEAD_EXISTS: { kind: 'conflict' },
  CONTACT_EXISTS: { kind: 'conflict' },
  CUSTOM_FIELD_EXISTS: { kind: 'conflict' },
  ...takenNameEntries,
  KEYWORD_IN_USE: { kind: 'conflict' },
  CONTENT_KEYWORD_EXISTS: { kind: 'conflict' },
  SOCIAL_ACCOUNT_CONNECTED: { kind: 'conflict' },
  SOCIAL_ACCOUNT_INACTIVE: { kind: 'conflict' },
  BILLING_ALREADY_SET_UP: { kind: 'conflict' },
  SUBSCRIPTION_EXISTS: { kind: 'conflict' },
  PLAN_UNCHANGED: { kind: 'conflict' },
  CREDITS_INSUFFICIENT: { kind: 'conflict' },
  EXTERNAL_ID_TAKEN: { kind: 'conflict' },
  QUOTA_EXCEEDED: { kind: 'conflict' },
  IN_USE: { kind: 'conflict' },
  REPLY_WINDOW_CLOSED: { kind: 'conflict' },
  WRONG_STATE: { kind: 'conflict' },
  OVERTAKEN: { kind: 'conflict' },
  IDEMPOTENCY_IN_PROGRESS: { kind: 'conflict' },
  BODY_TOO_LARGE: { kind: 'payloadTooLarge' },
  CONTENT_TYPE_UNSUPPORTED: { kind: 'unsupportedMediaType' },
  IDEMPOTENCY_KEY_REUSED: { kind: 'unprocessable' },
  RATE_LIMITED: { kind: 'tooManyRequests' },
  INTERNAL_ERROR: { kind: 'internal' },
  PAYMENT_SERVICE_UNAVAILABLE: { kind: 'upstream' },
  AI_SERVICE_UNAVAILABLE: { kind: 'upstream' },
  SOCIAL_PLATFORM_UNAVAILABLE: { kind: 'upstream' },
  GOOGLE_UNAVAILABLE: { kind: 'upstream' },
  OVERLOADED: { kind: 'overloaded' },
  ...notFoundEntries,
} as const satisfies Record<string, { readonly kind: ErrorKind }>;

export type ErrorCode = keyof typeof errorCodes;

/** The codes of a kind of error. All codes of a kind have the same status. */
export type CodeOf<Kind extends ErrorKind> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]['kind'] extends Kind ? Code : never;
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
