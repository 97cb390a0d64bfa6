import type { JsonSchema } from './json-schema.ts';

const commonProperties = {
  success: { type: 'boolean', const: false },
  statusCode: { type: 'integer', examples: [400] },
  message: {
    description: 'One text; for failed validation a list with one text for each field.',
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    examples: ["Lead not found or you don't have access"],
  },
  error: { type: 'string', description: 'The reason phrase of the status.' },
} as const satisfies Record<string, JsonSchema>;

const commonRequired = ['success', 'statusCode', 'message', 'error'] as const;

/** The schemas of error bodies. Health endpoints have two of their own. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'Every refusal. Some carry further fields that help to mend it.',
    properties: commonProperties,
    required: commonRequired,
  },
  AuthenticationError: {
    type: 'object',
    description: 'No valid token came, or a network refuses the one it gave.',
    properties: {
      ...commonProperties,
      code: {
        type: 'string',
        enum: ['SESSION_INVALID', 'PLATFORM_TOKEN_INVALID'],
        description: "Whose token it is: the session's, or the one of a connected network.",
      },
    },
    required: [...commonRequired, 'code'],
  },
  HealthUnavailable: {
    type: 'object',
    description: 'The service cannot work.',
    properties: {
      status: { type: 'string', const: 'unhealthy' },
      timestamp: { type: 'string', format: 'date-time' },
      message: { type: 'string' },
      services: {
        type: 'object',
        description: 'What is down, by its name.',
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
    description: 'An unexpected failure of a health endpoint.',
    properties: {
      status: { type: 'string', const: 'error' },
      timestamp: { type: 'string', format: 'date-time' },
      message: { type: 'string' },
      error: { type: 'string' },
    },
    required: ['status', 'timestamp', 'message', 'error'],
  },
} as const satisfies Record<string, JsonSchema>;
