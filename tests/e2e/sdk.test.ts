import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '#lib/platform/version.ts';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { projectPath } from '#scripts/project.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { useStack } from '#tests/support/stack.ts';

const browser = await useBrowser();

const run = promisify(execFile);

/** An empty project outside the repository that has only the packed client. */
let project: string;
let token: string;
let organizationId: string;

/** Fills a pipeline and reads it page by page, in Node and in a browser. */
const program = `
import { SocialLeads, SocialLeadsError } from '@social-leads/sdk';

export async function play(baseUrl, token) {
  const client = new SocialLeads({ baseUrl, token });
  const { organizations } = await client.organizations.list();
  const [{ id: organizationId }] = organizations;
  const { pipelines } = await client.leads.listPipelines({ organizationId });
  const [{ id: pipelineId }] = pipelines;
  const names = ['Ada', 'Charles', 'George'];
  for (const name of names) {
    await client.leads.createWithContact({
      organizationId,
      pipelineId,
      source: 'sdk',
      contact: { name, email: name + crypto.randomUUID() + '@example.com' },
    });
  }
  const found = [];
  for await (const lead of client.leads.list({ organizationId, limit: 1, source: 'sdk' })) {
    found.push(lead.contact.name);
  }
  const missing = await client.leads
    .get({ organizationId, leadId: crypto.randomUUID() })
    .catch((error) => error);

  return {
    found: found.slice(0, names.length),
    csv: typeof (await client.leads.export({ organizationId })),
    missing: [missing instanceof SocialLeadsError, missing.status, missing.requestId.length],
  };
}
`;

const expected = { found: ['George', 'Charles', 'Ada'], csv: 'string', missing: [true, 404, 36] };

/** Each marked line is a mistake that the compiler must report. */
const typed = `
import { type Lead, SocialLeads, SocialLeadsError, verifyWebhook } from '@social-leads/sdk';

const client = new SocialLeads({ baseUrl: 'http://localhost:3000', token: 'sl_key' });
const organizationId = 'id';
const { leads } = await client.leads.list({ organizationId });
const lead: Lead | undefined = leads[0];
for await (const { contact } of client.leads.list({ organizationId, status: 'NEW' })) {
  const name: string | undefined = contact?.name;
}
// @ts-expect-error The organization is missing.
client.leads.list({});
// @ts-expect-error There is no such status.
client.leads.list({ organizationId, status: 'OLD' });
// @ts-expect-error Contacts have no such field.
lead?.contact.shoeSize;
await client.content.createPost({
  organizationId,
  socialAccountId: 'id',
  platform: 'LINKEDIN',
  content: 'New engines',
  // @ts-expect-error The field is scheduledAt.
  scheduledFor: '2035-01-15T09:30:00Z',
  settings: { visibility: 'PUBLIC' },
});
try {
  const event = await verifyWebhook('', new Headers(), '');
  if (event.type === 'lead.created') {
    const id: string = event.data.lead.id;
  }
} catch (error) {
  if (error instanceof SocialLeadsError && error.code === 'QUOTA_EXCEEDED') {
    const issue: string | undefined = error.issues[0]?.path;
  }
}
`;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sdk-'));
  const packed = join(project, 'node_modules/@social-leads/sdk');
  await mkdir(packed, { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: projectPath('packages/sdk'),
  });
  await run(
    'tar',
    ['-xzf', `social-leads-sdk-${version}.tgz`, '-C', packed, '--strip-components=1'],
    {
      cwd: project,
    },
  );
  // The packages that npm would install, without the registry.
  for (const name of ['standardwebhooks', '@stablelib/base64', 'fast-sha256']) {
    await cp(projectPath(`node_modules/${name}`), join(project, 'node_modules', name), {
      recursive: true,
    });
  }
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', noEmit: true };
  const files = {
    'program.mjs': program,
    'run.mjs': `import { play } from './program.mjs';
console.log(JSON.stringify([process.version, await play(...process.argv.slice(2))]));`,
    'typed.mts': typed,
    'package.json': '{}',
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['typed.mts'] }),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(project, name), content);
  }
  const client = new SocialLeads({ baseUrl: useStack().api });
  const account = await client.auth.signUp({
    email: `${randomUUID()}@example.com`,
    password: 'correct horse battery',
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationName: 'Analytical Engines',
    paymentMethodId: 'pm_card_visa',
  });
  token = account.authToken;
  organizationId = account.organization.id;
});

afterAll(() => rm(project, { recursive: true }));

/**
 * The Node version that installed the project, 20.19 or newer, instead of the one for npm scripts.
 */
function installedNode(): Promise<{ readonly stdout: string }> {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);

  return run('node', ['run.mjs', useStack().api, token], {
    cwd: project,
    env: { ...process.env, PATH: path },
  });
}

test('the packed client works in the installed Node', async () => {
  const { stdout } = await installedNode();

  expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/^v2\d\./), expected]);
});

test('the packed client works in a browser', async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: project },
    bundle: true,
    format: 'iife',
    globalName: 'client',
    minify: true,
    write: false,
  });
  const [{ text = '' } = {}] = outputFiles;
  const page = await browser.newPage();
  const address = `${useStack().api}/page-of-the-test`;
  await page.route(address, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  );
  await page.goto(address);
  const played = await page.evaluate(
    `${text}; client.play(${JSON.stringify(useStack().api)}, ${JSON.stringify(token)})`,
  );

  expect(played).toEqual(expected);
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
});

test('the packed types accept correct code with strict, and reject mistakes', async () => {
  const compiler = projectPath('node_modules/typescript-7/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch(
    (failure: Error & { readonly stdout?: string }) => ({
      stdout: failure.stdout || failure.message,
    }),
  );

  expect(stdout).toBe('');
});

test("the example in the client's README runs", async () => {
  const readme = await readFile(projectPath('packages/sdk/README.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  await writeFile(join(project, 'readme.mjs'), example);

  const { stdout } = await run(process.execPath, ['readme.mjs'], {
    cwd: project,
    env: { ...process.env, SOCIAL_LEADS_URL: useStack().api, SOCIAL_LEADS_KEY: token },
  });

  expect(stdout).toMatch(/^404 /m);
  expect(organizationId).toBeDefined();
});
