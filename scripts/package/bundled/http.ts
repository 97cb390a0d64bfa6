import { createRequire } from 'node:module';

/**
 * Takes the place of Node's own module in bundles. An import of it reads all of its properties,
 * and with them loads the classes of `fetch` and WebSocket, which takes 20 ms of each cold start; a
 * function needs a name of a status, and speaks HTTPS.
 */
const http = createRequire(import.meta.url)('node:http') as typeof import('node:http');

export const { Agent, request, STATUS_CODES } = http;
