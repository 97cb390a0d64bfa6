// Runs in a separate process: it mocks DNS
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type LookupFunction,
  Socket,
  type Server as TcpServer,
  type TcpSocketConnectOpts,
} from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchPublic, type PublicRequest, readBody } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { checkedLookup } from '#lib/platform/outbound/public-address.ts';
import { privateTargets } from '#tests/support/private-targets.ts';
import { testCertificate } from '#tests/support/test-certificate.ts';

vi.mock('node:dns/promises', () => ({ lookup: vi.fn() }));

const limits: PublicRequest = { timeoutMs: 5_000, maxBytes: 1_000 };
const loopback: LookupAddress = { address: '127.0.0.1', family: 4 };
const elsewhere: LookupAddress = { address: '93.184.215.14', family: 4 };

const servers: TcpServer[] = [];

async function listening<S extends TcpServer>(server: S): Promise<{ server: S; port: number }> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return { server, port: (server.address() as AddressInfo).port };
}

/** Starts a server on an exempt origin, for tests of its responses. */
async function receiver(listener: RequestListener): Promise<string> {
  const { port } = await listening<Server>(createHttpServer(listener));
  const origin = `http://127.0.0.1:${port}`;
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origin);

  return origin;
}

/** Starts a server that counts connections and closes them. */
async function counting() {
  let connections = 0;
  const { server, port } = await listening(createTcpServer());
  server.on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });

  return { port, connections: () => connections };
}

/** Routes connections to these addresses to local ports. */
function routeTo(ports: Readonly<Record<string, number>>): void {
  const { connect } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given) {
    const [options, connected] = given.flat() as unknown as [TcpSocketConnectOpts, () => void];
    const { host = '', lookup: resolve = unchecked } = options;
    resolve(host, { all: false }, (failure, address) => {
      if (failure) {
        this.destroy(failure);

        return;
      }
      const target = { host: '127.0.0.1', port: ports[String(address)] ?? 0 };
      Reflect.apply(connect, this, [target, connected]);
    });

    return this;
  });
}

/** The resolver for connections without their own lookup. */
const unchecked: LookupFunction = (hostname, _, callback) => {
  lookup(hostname, { all: true }).then(([first]) => callback(null, first?.address ?? '', 4));
};

function resolvesTo(...answers: ReadonlyArray<readonly LookupAddress[]>): void {
  for (const answer of answers) {
    vi.mocked(lookup).mockResolvedValueOnce([...answer] as never);
  }
}

async function failureOf(attempt: Promise<unknown>): Promise<string> {
  const failure = await attempt.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(failure).toBeInstanceOf(OutboundError);

  return (failure as OutboundError).kind;
}

beforeEach(() => {
  vi.mocked(lookup).mockReset();
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.close();
    (server as Partial<Server>).closeAllConnections?.();
  }
});

describe('fetchPublic with private targets', () => {
  test(`does not connect to any of ${privateTargets.length} spellings of private addresses`, async () => {
    const { port, connections } = await counting();
    vi.mocked(lookup).mockResolvedValue([loopback] as never);

    const kinds = await Promise.all(
      privateTargets.map((target) => {
        const url = new URL(target.replace('example..com', 'hooks.example.com'));
        url.port = String(port);

        return failureOf(fetchPublic(url.href, limits));
      }),
    );

    expect(new Set(kinds)).toEqual(new Set(['forbidden']));
    expect(connections()).toBe(0);
  });

  test('does not connect to a name with a private address, even if it also has a public one', async () => {
    const { port, connections } = await counting();
    for (const addresses of [
      [loopback],
      [elsewhere, loopback],
      [{ address: '::1', family: 6 }],
      [],
    ]) {
      resolvesTo(addresses);
      const attempt = fetchPublic(`https://hooks.example.com:${port}/`, limits);
      expect(await failureOf(attempt)).toBe('forbidden');
    }
    expect(connections()).toBe(0);
  });

  test('does not connect to an address that a name resolves to after the check, in 100 tries', async () => {
    const [outside, inside] = await Promise.all([counting(), counting()]);
    routeTo({ [elsewhere.address]: outside.port, [loopback.address]: inside.port });
    for (let attempt = 0; attempt < 100; attempt += 1) {
      vi.mocked(lookup).mockReset();
      vi.mocked(lookup).mockResolvedValue([loopback] as never);
      resolvesTo([elsewhere]);

      expect(await failureOf(fetchPublic('https://hooks.example.com/', limits))).toBe(
        'unreachable',
      );
    }

    expect([outside.connections(), inside.connections()]).toEqual([100, 0]);
  });

  test('does not connect over http to an origin that is not exempt', async () => {
    expect(await failureOf(fetchPublic('http://hooks.example.com/', limits))).toBe('forbidden');
    expect(lookup).not.toHaveBeenCalled();
  });
});

describe('name resolution', () => {
  const resolve = (all: boolean) =>
    new Promise((done) => {
      checkedLookup('hooks.example.com', { all }, (...answer) => done(answer));
    });

  test('runs once per connection and returns the checked addresses', async () => {
    for (let round = 0; round < 100; round += 1) {
      vi.mocked(lookup).mockReset();
      resolvesTo([elsewhere], [loopback]);
      expect(await resolve(round % 2 === 0)).toEqual(
        round % 2 === 0 ? [null, [elsewhere]] : [null, elsewhere.address, elsewhere.family],
      );
      expect(lookup).toHaveBeenCalledTimes(1);
    }
  });

  test('returns unreachable when the lookup fails', async () => {
    vi.mocked(lookup).mockRejectedValueOnce(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

    expect(await failureOf(fetchPublic('https://hooks.example.com/', limits))).toBe('unreachable');
  });

  test('returns timeout when the lookup never finishes', async () => {
    vi.mocked(lookup).mockReturnValueOnce(new Promise(() => undefined));

    const attempt = fetchPublic('https://hooks.example.com/', { ...limits, timeoutMs: 50 });

    expect(await failureOf(attempt)).toBe('timeout');
  });
});

describe('fetchPublic over TLS', () => {
  const trusted = getCACertificates();

  afterEach(() => setDefaultCACertificates(trusted));

  test('sends the host name and requires a valid certificate', async () => {
    const seen: unknown[] = [];
    const { port } = await listening(
      createHttpsServer(testCertificate, ({ headers, socket }, response) => {
        seen.push([headers.host, (socket as TLSSocket).servername]);
        response.end('taken');
      }),
    );
    const url = `https://localhost:${port}`;
    vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', url);

    expect(await failureOf(fetchPublic(url, limits))).toBe('unreachable');
    expect(seen).toEqual([]);

    setDefaultCACertificates([...trusted, testCertificate.cert]);
    const { body } = await fetchPublic(url, limits);
    expect((await readBody(body)).toString()).toBe('taken');
    expect(seen).toEqual([[`localhost:${port}`, 'localhost']]);
  });
});

describe('fetchPublic responses', () => {
  test('returns the status, headers, and body', async () => {
    const origin = await receiver(async (request, response) => {
      const sent = await readBody(request);
      response.writeHead(202, { 'x-mark': String(request.headers['x-mark']) });
      response.end(`${request.method} ${request.url} ${sent}`);
    });

    const answer = await fetchPublic(`${origin}/hook?to=1`, {
      ...limits,
      method: 'POST',
      headers: { 'x-mark': 'seen' },
      body: 'grüße',
    });

    expect([answer.status, answer.headers['x-mark']]).toEqual([202, 'seen']);
    expect((await readBody(answer.body)).toString()).toBe('POST /hook?to=1 grüße');
  });

  test('does not follow redirects', async () => {
    const paths: Array<string | undefined> = [];
    const origin = await receiver(({ url }, response) => {
      paths.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });

    const { status } = await fetchPublic(`${origin}/first`, {
      ...limits,
      method: 'POST',
      body: '',
    });

    expect([status, paths]).toEqual([307, ['/first']]);
  });

  test('rejects a response above the size limit, with or without content-length', async () => {
    const told = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': '1001' }).end('x'.repeat(1001));
    });
    expect(await failureOf(fetchPublic(told, limits))).toBe('tooLarge');

    const untold = await receiver((_, response) => {
      response.write('x'.repeat(600));
      response.end('x'.repeat(600));
    });
    const { body } = await fetchPublic(untold, limits);
    expect(await failureOf(readBody(body))).toBe('tooLarge');
  });

  test('reads a response of exactly the size limit', async () => {
    const origin = await receiver((_, response) => response.end('x'.repeat(1000)));

    expect(await readBody((await fetchPublic(origin, limits)).body)).toHaveLength(1000);
  });

  test('times out when a response never arrives or never finishes', async () => {
    const silent = await receiver(() => undefined);
    expect(await failureOf(fetchPublic(silent, { ...limits, timeoutMs: 50 }))).toBe('timeout');

    const dripping = await receiver((_, response) => {
      response.write('x');
    });
    const { body } = await fetchPublic(dripping, { ...limits, timeoutMs: 200 });
    expect(await failureOf(readBody(body))).toBe('timeout');
  });

  test('returns unreachable when a response is interrupted or not HTTP', async () => {
    const broken = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('x');
      response.socket?.destroySoon();
    });
    const { body } = await fetchPublic(broken, limits);
    expect(await failureOf(readBody(body))).toBe('unreachable');

    const switching = await receiver((request) => {
      request.socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      );
    });
    expect(await failureOf(fetchPublic(switching, limits))).toBe('unreachable');

    const nonsense = await receiver((request) => {
      request.socket.end('SSH-2.0-OpenSSH_9.9\r\n');
    });
    expect(await failureOf(fetchPublic(nonsense, limits))).toBe('unreachable');
  });
});
