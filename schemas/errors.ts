export const errorKinds = {
  badRequest: { statusCode: 400, error: 'Bad Request' },
  unauthorized: { statusCode: 401, error: 'Unauthorized' },
  paymentRequired: { statusCode: 402, error: 'Payment Required' },
  forbidden: { statusCode: 403, error: 'Forbidden' },
  notFound: { statusCode: 404, error: 'Not Found' },
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
