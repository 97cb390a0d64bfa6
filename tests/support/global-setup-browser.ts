import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserServer, chromium as playwright } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumOptions } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Returns the URL of the browser. The first call starts the browser. */
    readonly browserUrl: string;
  }
}

type Running = { readonly url: string; readonly close: () => Promise<void> };

/** All test projects share it, and each of them loads this file separately. */
const shared = globalThis as { browser?: Promise<Running> };

/** All tests of a run share one Chromium. It starts when a test needs it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isFirst = shared.browser === undefined;
  shared.browser ??= start();
  const { url, close } = await shared.browser;
  project.provide('browserUrl', url);

  return isFirst ? close : async () => {};
}

async function start(): Promise<Running> {
  let launched: Promise<BrowserServer> | undefined;
  const server = createServer(async (_, response) => {
    try {
      launched ??= chromiumOptions().then((options) => playwright.launchServer(options));
      response.end((await launched).wsEndpoint());
    } catch (failure) {
      response.writeHead(500).end(String(failure));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      const browser = await launched?.catch(() => undefined);
      await browser?.close();
    },
  };
}
