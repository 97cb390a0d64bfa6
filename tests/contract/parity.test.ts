import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areas, kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { handlerOf } from '#tests/support/api.ts';

/** The interface, as it is promised to those who call it: every endpoint that is built. */
const promised = [
  'POST /auth/signup',
  'POST /auth/login',
  'GET /auth/me',
  'PATCH /auth/me',
  'POST /auth/logout',
  'POST /auth/setup-intent',
  'GET /auth/me/consents',
  'GET /auth/iframe-debug',
  'POST /organizations',
  'GET /organizations',
  'GET /organizations/{organization_id}',
  'PATCH /organizations/{organization_id}',
  'DELETE /organizations/{organization_id}',
  'GET /organizations/{organization_id}/members',
  'POST /organizations/{organization_id}/members/invite',
  'PATCH /organizations/{organization_id}/members/{user_id}/role',
  'DELETE /organizations/{organization_id}/members/{user_id}',
  'DELETE /organizations/{organization_id}/members/leave',
  'POST /billing/setup',
  'POST /billing/payment-method',
  'GET /billing/payment-methods',
  'DELETE /billing/payment-methods/{payment_method_id}',
  'PUT /billing/payment-methods/{payment_method_id}/default',
  'POST /billing/setup-intent',
  'GET /billing/subscription',
  'POST /billing/subscription',
  'DELETE /billing/subscription',
  'POST /billing/subscription/pause',
  'POST /billing/subscription/resume',
  'GET /billing/invoices',
  'GET /billing/balance',
  'POST /billing/credits/purchase',
  'GET /billing/usage',
  'POST /billing/reports/usage',
  'GET /billing/transactions',
  'GET /billing/auto-refill/settings',
  'POST /billing/auto-refill/settings',
  'POST /leads/{organization_id}',
  'POST /leads/{organization_id}/with-contact',
  'GET /leads/{organization_id}',
  'GET /leads/{organization_id}/{lead_id}',
  'PATCH /leads/{organization_id}/{lead_id}',
  'DELETE /leads/{organization_id}/{lead_id}',
  'POST /leads/{organization_id}/{lead_id}/activities',
  'POST /leads/{organization_id}/{lead_id}/move-stage',
  'POST /leads/{organization_id}/convert-conversation',
  'GET /leads/{organization_id}/stats',
  'GET /leads/{organization_id}/analytics/sources',
  'GET /leads/{organization_id}/analytics/campaigns',
  'GET /leads/{organization_id}/analytics/pipeline',
  'POST /social/connect',
  'GET /social/accounts',
  'PATCH /social/accounts/{account_id}',
  'DELETE /social/accounts/{account_id}',
  'POST /social/accounts/{account_id}/refresh-token',
  'POST /social/accounts/{account_id}/validate-token',
  'GET /social/accounts/{account_id}/pages',
  'POST /social/accounts/{account_id}/sync',
  'GET /social/accounts/{account_id}/stats',
  'POST /social/accounts/{account_id}/webhook',
  'POST /campaigns/{organization_id}',
  'GET /campaigns/{organization_id}',
  'GET /campaigns/{organization_id}/{campaign_id}',
  'PATCH /campaigns/{organization_id}/{campaign_id}',
  'DELETE /campaigns/{organization_id}/{campaign_id}',
  'POST /campaigns/{organization_id}/validate-keywords',
  'GET /campaigns/{organization_id}/keywords',
  'POST /ai/agents/{organization_id}',
  'GET /ai/agents/{organization_id}',
  'PATCH /ai/agents/{organization_id}/{agent_id}',
  'DELETE /ai/agents/{organization_id}/{agent_id}',
  'POST /ai/templates/{organization_id}',
  'GET /ai/templates/{organization_id}',
  'POST /ai/interactive-templates/{organization_id}',
  'GET /ai/interactive-templates/{organization_id}',
  'POST /ai/templates/{template_id}/test',
  'POST /debug/conversations/{organization_id}/debug',
  'POST /content/{organization_id}/posts',
  'GET /content/{organization_id}/posts',
  'PATCH /content/{organization_id}/posts/{post_id}',
  'DELETE /content/{organization_id}/posts/{post_id}',
  'GET /content/{organization_id}/analytics',
  'GET /content/{organization_id}/posts/{post_id}/performance',
  'GET /social/accounts/{account_id}/webhook/verify',
  'POST /bio/{organization_id}/links',
  'GET /bio/{organization_id}/links',
  'PATCH /bio/{organization_id}/links/{link_id}',
  'DELETE /bio/{organization_id}/links/{link_id}',
  'GET /health',
  'GET /health/detailed',
  'GET /health/status',
  'GET /health/services/{service_name}',
  'GET /health/metrics',
  'GET /health/metrics/historical',
  'GET /health/diagnostics',
  'POST /health/connectivity-test',
  'GET /health/organization/{organization_id}',
  'GET /health/metrics/{scraper_format}',
];

const promisedPublic = ['POST /auth/signup', 'POST /auth/login', 'GET /auth/iframe-debug'];

function routeOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

function filesIn(folder: string, extension: string): readonly string[] {
  const root = new URL('../../', import.meta.url);

  return readdirSync(new URL(folder, root)).filter((name) => name.endsWith(extension));
}

function functionsYml(area: string): string {
  return readFileSync(new URL(`../../functions/${area}/functions.yml`, import.meta.url), 'utf8');
}

describe('the interface', () => {
  it.each(promised)('has %s, and not as an extension', (route) => {
    const found = endpoints.filter((contract) => routeOf(contract) === route);

    expect(found).toHaveLength(1);
    expect(found[0]?.extension ?? false).toBe(false);
  });

  it('has nothing else in these areas that is not called an extension', () => {
    const built = [
      'auth',
      'organizations',
      'billing',
      'health',
      'leads',
      'social',
      'content',
      'ai',
      'debug',
      'bio',
      'campaigns',
    ];
    const own = endpoints.filter(({ area, extension }) => built.includes(area) && !extension);

    expect(own.map(routeOf).sort()).toEqual([...promised].sort());
  });

  it('is public only where it says so', () => {
    const open = endpoints.filter(
      ({ access, extension }) => access.kind === 'public' && !extension,
    );
    const ofTheseAreas = open.filter(({ area }) => area === 'auth' || area === 'organizations');

    expect(ofTheseAreas.map(routeOf).sort()).toEqual([...promisedPublic].sort());
  });
});

describe('a contract', () => {
  it.each(endpoints)('has a handler: $operationId', async (contract) => {
    expect(await handlerOf(contract)).toBeTypeOf('function');
  });

  it.each(endpoints)('has a function with its route: $operationId', ({ area, ...contract }) => {
    const name = kebabCase(contract.operationId);
    const entries = functionsYml(area).split(/^(?=[a-z-]+:$)/m);
    const entry = entries.find((text) => text.startsWith(`${name}:\n`)) ?? '';

    expect(entry).toContain(`handler: functions/${area}/${name}.handler\n`);
    expect(entry).toContain(`method: ${contract.method}\n        path: ${contract.path}\n`);
  });

  it.each(endpoints)('names its parameters as its path does: $operationId', ({ path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

    expect(Object.keys(params?.shape ?? {}).sort()).toEqual(inPath.sort());
  });

  it.each(endpoints)(
    'takes a body only where a method has one, and its tenant from nowhere else: $operationId',
    ({ method, body, access, path }) => {
      const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
      const isOfPath = access.kind === 'member' && access.organization === 'path';
      const isPublic = access.kind === 'public';

      expect(hasBody || body === undefined).toBe(true);
      expect(isOfPath || isPublic).toBe(isPublic || path.includes('{organization_id}'));
    },
  );

  it('has an operation id and a route that no other has', () => {
    const ids = endpoints.map(({ operationId }) => operationId);
    const functions = ids.map(kebabCase);
    const routes = endpoints.map((contract) => routeOf(contract).replace(/\{\w+\}/g, '{}'));

    expect(new Set(ids).size).toBe(endpoints.length);
    expect(new Set(functions).size).toBe(endpoints.length);
    expect(new Set(routes).size).toBe(endpoints.length);
  });
});

describe('a handler', () => {
  const withoutContract = ['docs/unknown-route'];
  const contracted = endpoints.map(({ area, operationId }) => `${area}/${kebabCase(operationId)}`);
  const folders = readdirSync(new URL('../../functions', import.meta.url));
  const built = areas.filter((area) => folders.includes(area));

  it.each(built)('has a contract: functions/%s', (area) => {
    const files = filesIn(`functions/${area}`, '.ts').map((file) => `${area}/${file.slice(0, -3)}`);
    const expected = [...contracted, ...withoutContract].filter((name) =>
      name.startsWith(`${area}/`),
    );

    expect([...files].sort()).toEqual(expected.sort());
  });
});
