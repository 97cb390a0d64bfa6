import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getFormPage, submitForm } from '#schemas/forms.ts';
import { gatewayEvent, handlerOf, lambdaContext } from '#tests/support/api.ts';

/** Serves the page of forms over HTTP, for browsers, with the real handlers. */
export async function serveForms(): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer(async (request, response) => {
    const url = new URL(String(request.url), 'http://localhost');
    const contract = request.method === 'POST' ? submitForm : getFormPage;
    const body = await new Response(request as unknown as ReadableStream).text();
    const event = gatewayEvent(contract, {
      params: { code: decodeURIComponent(url.pathname.slice('/f/'.length)) },
      query: Object.fromEntries(url.searchParams),
      headers: { 'content-type': String(request.headers['content-type'] ?? '') },
      ...(body ? { body } : {}),
    });
    const answer = await (await handlerOf(contract))(event, lambdaContext());
    response.writeHead(answer.statusCode, answer.headers as Record<string, string>);
    response.end(answer.body);
  });

  return { origin: await listen(server), server };
}

/** Serves one page from a different origin. */
export async function servePage(html: string) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });

  return { origin: await listen(server), server };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
