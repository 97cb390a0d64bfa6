import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** Echoes the request, and allows one origin. */
export async function handler(
  event: APIGatewayProxyEventV2,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { cookies, routeKey } = event;
  const origin = event.headers.origin;

  return {
    statusCode: event.requestContext.http.method === 'OPTIONS' ? 204 : 200,
    headers: {
      'content-type': 'application/json',
      ...(origin === 'https://friend.example' ? { 'access-control-allow-origin': origin } : {}),
    },
    cookies: [
      '__Host-auth_token=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=None; Partitioned',
    ],
    body: JSON.stringify({ cookies, routeKey, tableName: process.env.TABLE_NAME }),
  };
}
