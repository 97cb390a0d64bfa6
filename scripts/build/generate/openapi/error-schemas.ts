import { errorTexts } from '#schemas/error-texts.ts';
import {
  type ErrorCode,
  type ErrorKind,
  errorCodes,
  errorKinds,
  issuePlaces,
  issueRules,
} from '#schemas/errors.ts';
import { componentReference, type JsonSchema } from './json-schema.ts';

/** The response to another method is described in the introduction. */
const { methodNotAllowed: _, ...statuses } = errorKinds;

/** The common body for each status: `Error400` and so on. */
const byStatus = Object.fromEntries(
  Object.entries(statuses).map(([kind, { statusCode, error }]) => [
    `Error${statusCode}`,
    {
      allOf: [
        componentReference('Error'),
        { properties: { statusCode: { const: statusCode }, error: { const: error } } },
      ],
      examples: [exampleOf(kind as ErrorKind)],
    },
  ]),
);

function exampleOf(kind: ErrorKind) {
  const { statusCode, error } = errorKinds[kind];
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const code = codes.find((one) => errorCodes[one] === kind);

  return {
    success: false,
    statusCode,
    code,
    message: code && errorTexts[code].meaning,
    error,
    requestId: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  };
}

/** The schemas of error bodies, including two for health endpoints, and of warnings. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description:
      'The common error body. Each code, and what to do about it, is explained in docs/errors.md. Some errors have additional fields that help to fix the request.',
    properties: {
      success: { type: 'boolean', const: false },
      statusCode: { type: 'integer' },
      code: {
        type: 'string',
        description: 'The error code, for programs. Codes do not change.',
      },
      message: {
        description: 'The error message. For invalid input, a list with one message per field.',
        oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
      error: { type: 'string', description: 'The reason phrase of the status code.' },
      requestId: { type: 'string', description: 'The same as in the header `X-Request-Id`.' },
      issues: {
        type: 'array',
        description: 'For `VALIDATION_FAILED`: one for each entry of `message`, in the same order.',
        items: {
          type: 'object',
          properties: {
            in: { type: 'string', enum: issuePlaces },
            path: {
              type: 'string',
              description: 'The dotted path of the field. Empty if the whole body is invalid.',
            },
            rule: { type: 'string', enum: issueRules },
            message: { type: 'string' },
          },
          required: ['in', 'path', 'rule', 'message'],
        },
      },
      warnings: componentReference('Warnings'),
      state: {
        type: 'string',
        description:
          'For `WRONG_STATE`: the state of the resource, which does not allow the request.',
      },
      challengeToken: {
        type: 'string',
        description: 'For `TWO_FACTOR_REQUIRED`: completes the sign-in together with a code.',
      },
      organizations: {
        type: 'array',
        description: 'For `SOLE_OWNER`: the organizations without another owner.',
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
      leadCount: { type: 'integer', description: 'The leads that a resource still has.' },
      conflictingCampaign: {
        type: 'object',
        description: 'For `KEYWORD_IN_USE`: the campaign that uses the keyword.',
        properties: { id: { type: 'string' }, name: { type: 'string' } },
        required: ['id', 'name'],
      },
      postIds: {
        type: 'array',
        items: { type: 'string' },
        description: 'The posts that use a medium.',
      },
    },
    required: ['success', 'statusCode', 'code', 'message', 'error', 'requestId'],
  },
  ...byStatus,
  Warnings: {
    type: 'array',
    description: 'Ignored fields and parameters, which the operation does not have. At most 20.',
    items: { type: 'string' },
    examples: [['scheduledFor is not a field of this request. Did you mean scheduledAt?']],
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
