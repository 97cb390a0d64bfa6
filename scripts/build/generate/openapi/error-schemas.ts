import type { JsonSchema } from './json-schema.ts';

const commonProperties = {
  success: { type: 'boolean', const: false },
  statusCode: { type: 'integer', examples: [400] },
  message: {
    description: 'The error message. For invalid input, a list with one message per field.',
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    examples: ["Lead not found or you don't have access"],
  },
  error: { type: 'string', description: 'The reason phrase of the status code.' },
} as const satisfies Record<string, JsonSchema>;

const commonRequired = ['success', 'statusCode', 'message', 'error'] as const;

/** The schemas of error bodies. Health endpoints have two of their own. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description:
      'The common error body. Some errors have additional fields that help to fix the request.',
    properties: {
      ...commonProperties,
      code: {
        type: 'string',
        enum: [
          'QUOTA_EXCEEDED',
          'TWO_FACTOR_REQUIRED',
          'SIGNUP_REQUIRED',
          'ACCOUNT_EXISTS',
          'SOLE_OWNER',
        ],
        description: 'Present for errors that a client handles in a specific way.',
      },
      challengeToken: {
        type: 'string',
        description: 'Of `TWO_FACTOR_REQUIRED`: completes the sign-in together with a code.',
      },
      organizations: {
        type: 'array',
        description: 'Of `SOLE_OWNER`: the organizations without another owner.',
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, name: { type: 'string' } },
          required: ['id', 'name'],
        },
      },
      quota: {
        type: 'object',
        description: 'The quota that is used up.',
        properties: { name: { type: 'string' }, limit: { type: 'integer' } },
        required: ['name', 'limit'],
      },
      usage: {
        type: 'object',
        description: 'The usage of the media library, if it is full.',
        properties: {
          bytes: { type: 'integer' },
          limitBytes: { type: 'integer' },
          files: { type: 'integer' },
        },
        required: ['bytes', 'limitBytes', 'files'],
      },
      postIds: {
        type: 'array',
        items: { type: 'string' },
        description: 'The posts that use a medium.',
      },
    },
    required: commonRequired,
  },
  AuthenticationError: {
    type: 'object',
    description: 'The session token is missing or invalid, or a network rejected its access token.',
    properties: {
      ...commonProperties,
      code: {
        type: 'string',
        enum: ['SESSION_INVALID', 'PLATFORM_TOKEN_INVALID'],
        description: 'Whether the session token or the token of a social account is invalid.',
      },
    },
    required: [...commonRequired, 'code'],
  },
  HealthUnavailable: {
    type: 'object',
    description: 'The service is unavailable.',
    properties: {
      status: { type: 'string', const: 'unhealthy' },
      timestamp: { type: 'string', format: 'date-time' },
      message: { type: 'string' },
      services: {
        type: 'object',
        description: 'The failed services, by name.',
        additionalProperties: {
          type: 'object',
          properties: { status: { type: 'string' }, error: { type: ['string', 'null'] } },
          required: ['status', 'error'],
        },
      },
    },
    required: ['status', 'timestamp', 'message', 'services'],
  },
  HealthError: {
    type: 'object',
    description: 'An unexpected error in a health endpoint.',
    properties: {
      status: { type: 'string', const: 'error' },
      timestamp: { type: 'string', format: 'date-time' },
      message: { type: 'string' },
      error: { type: 'string' },
    },
    required: ['status', 'timestamp', 'message', 'error'],
  },
} as const satisfies Record<string, JsonSchema>;
