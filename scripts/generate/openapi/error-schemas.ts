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

/** The two bodies that a refusal has. */
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
} as const satisfies Record<string, JsonSchema>;
