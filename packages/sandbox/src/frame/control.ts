import { isIP } from 'node:net';
import * as z from 'zod';
import { faultSchema } from './faults.ts';
import type { Frame } from './frame.ts';
import { decodePart, describeIssues, jsonAnswer, parseJson, refusal } from './http.ts';
import { renderPage } from './page.ts';
import type { RequestFilter } from './request-log.ts';
import type { ControlRoute, SandboxAnswer, SandboxRequest } from './service.ts';

const prefix = '/_sandbox';

const serviceUrlSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }) });

/** True if the request is for the control API. */
export function isControlCall(request: SandboxRequest): boolean {
  return request.path === prefix || request.path.startsWith(`${prefix}/`);
}

/**
 * True if a page of another site sent the request. Browsers send `Origin` with every request that
 * changes something. A host name is rejected too: an attacker's domain can resolve to this machine.
 */
function isCrossSite({ headers }: SandboxRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin === undefined) {
    return site === 'cross-site' || site === 'same-site';
  }
  if (!URL.canParse(origin)) {
    return true;
  }
  const url = new URL(origin);
  const isLocalName =
    url.hostname === 'localhost' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;

  return url.host !== host || !isLocalName;
}

/** Handles a control API request. */
export async function answerControl(frame: Frame, request: SandboxRequest): Promise<SandboxAnswer> {
  if (isCrossSite(request)) {
    return refusal(403, 'The control API rejects requests from pages of other sites');
  }
  const path = request.path.slice(prefix.length);
  const routes = [...frameRoutes(frame), ...frame.services.flatMap((one) => one.control)];

  for (const route of routes) {
    const parts = route.path.exec(path);

    if (parts !== null && route.method === request.method) {
      return route.answer(request, parts.slice(1).map(decodePart));
    }
  }

  return refusal(404, `Unknown control API call: ${request.method} ${request.path}`);
}

function frameRoutes(frame: Frame): readonly ControlRoute[] {
  return [
    { method: 'GET', path: /^\/?$/, answer: () => renderPage(frame) },
    {
      method: 'POST',
      path: /^\/reset$/,
      answer: () => {
        frame.reset();

        return jsonAnswer(200, {});
      },
    },
    { method: 'POST', path: /^\/service-url$/, answer: (request) => setServiceUrl(frame, request) },
    { method: 'GET', path: /^\/requests$/, answer: (request) => listRequests(frame, request) },
    {
      method: 'GET',
      path: /^\/faults$/,
      answer: () => jsonAnswer(200, { faults: frame.faults.list() }),
    },
    { method: 'POST', path: /^\/faults$/, answer: (request) => addFault(frame, request) },
    {
      method: 'DELETE',
      path: /^\/faults$/,
      answer: () => jsonAnswer(200, { ended: frame.faults.clear() }),
    },
    {
      method: 'DELETE',
      path: /^\/faults\/([^/]+)$/,
      answer: (_request, [id = '']) =>
        frame.faults.end(id) ? jsonAnswer(200, { ended: 1 }) : refusal(404, `No fault ${id}`),
    },
  ];
}

function listRequests(frame: Frame, request: SandboxRequest): SandboxAnswer {
  const { service, since, limit, contains } = Object.fromEntries(request.query);

  if (since !== undefined && Number.isNaN(Date.parse(since))) {
    return refusal(400, 'since must be an ISO time');
  }

  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) {
    return refusal(400, 'limit must be a positive integer');
  }

  const filter: RequestFilter = {
    ...(service === undefined ? {} : { service }),
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(contains === undefined ? {} : { contains }),
  };

  return jsonAnswer(200, { requests: frame.log.list(filter) });
}

function setServiceUrl(frame: Frame, request: SandboxRequest): SandboxAnswer {
  const parsed = serviceUrlSchema.safeParse(parseJson(request.body));

  if (!parsed.success) {
    return refusal(400, describeIssues(parsed.error));
  }

  frame.setServiceUrl(parsed.data.url.replace(/\/+$/, ''));

  return jsonAnswer(200, {});
}

function addFault(frame: Frame, request: SandboxRequest): SandboxAnswer {
  const parsed = faultSchema.safeParse(parseJson(request.body));

  if (!parsed.success) {
    return refusal(400, describeIssues(parsed.error));
  }

  const names = frame.services.map((one) => one.name);

  if (!names.includes(parsed.data.service)) {
    return refusal(400, `service must be one of ${names.join(', ')}`);
  }

  return jsonAnswer(201, { id: frame.faults.add(parsed.data).id });
}
