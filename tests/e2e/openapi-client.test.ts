import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectPath } from '#scripts/project.ts';
import { useStack } from '#tests/support/stack.ts';

const run = promisify(execFile);
let folder: string;

/** Code that a developer could write with only the OpenAPI document. */
const client = `
import createClient from 'openapi-fetch';
import type { paths } from './interface.ts';

const [baseUrl = '', email = ''] = process.argv.slice(2);
const service = createClient<paths>({ baseUrl });

const signup = await service.POST('/auth/signup', {
  body: {
    email,
    password: 'correct horse battery',
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationName: 'Analytical Engines',
    timezone: 'Europe/London',
    paymentMethodId: 'pm_card_visa',
  },
});
if (signup.error) {
  throw new Error(String(signup.error.message));
}
const token: string = signup.data.authToken;

const refused = await service.GET('/auth/me');
const me = await service.GET('/auth/me', { headers: { authorization: \`Bearer \${token}\` } });
const role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER' | undefined =
  me.data?.user.currentOrganization?.role;

console.log(JSON.stringify({ refused: refused.error, email: me.data?.user.email, role }));
`;

/** Each of these lines is a mistake that the compiler must report. */
const mistakes = `
import createClient from 'openapi-fetch';
import type { paths } from './interface.ts';

const service = createClient<paths>({ baseUrl: '' });

// @ts-expect-error There is no such path.
await service.GET('/auth/you');
// @ts-expect-error There is no such method.
await service.DELETE('/auth/me');
// @ts-expect-error A password is needed.
await service.POST('/auth/login', { body: { email: 'ada@example.com' } });
const me = await service.GET('/auth/me');
// @ts-expect-error Responses never contain a user's password.
me.data?.user.password;
// @ts-expect-error A user may have no organization at all.
me.data?.user.currentOrganization.id;
`;

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  noEmit: true,
  strict: true,
  allowImportingTsExtensions: true,
};

beforeAll(async () => {
  // Inside the project, so that packages resolve from there. It is removed afterwards.
  await mkdir(projectPath('.build'), { recursive: true });
  folder = await mkdtemp(projectPath('.build/openapi-client-'));
  const types = await openapiTypescript(pathToFileURL(projectPath('docs/openapi.json')));
  const files = {
    'interface.ts': astToString(types),
    'client.ts': client,
    'mistakes.ts': mistakes,
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions }),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
  }
});

afterAll(() => rm(folder, { recursive: true }));

test('generated types accept a correct client and reject an incorrect one', async () => {
  const compiler = projectPath('node_modules/typescript-7/bin/tsc');

  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
    (failure: Error & { readonly stdout?: string }) => ({
      stdout: failure.stdout || failure.message,
    }),
  );

  expect(stdout).toBe('');
});

test('a generated client signs up and reads its user', async () => {
  const email = `${randomUUID()}@example.com`;

  const { stdout } = await run(process.execPath, [
    join(folder, 'client.ts'),
    useStack().api,
    email,
  ]);

  expect(JSON.parse(stdout)).toEqual({
    refused: {
      success: false,
      statusCode: 401,
      message: 'Authentication required',
      error: 'Unauthorized',
      code: 'AUTHENTICATION_REQUIRED',
      requestId: expect.any(String),
    },
    email,
    role: 'OWNER',
  });
});
