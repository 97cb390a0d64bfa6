import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { getMe } from '#schemas/auth.ts';
import { followBioLink } from '#schemas/bio.ts';
import { createContentPost } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  createLeadWithContact,
  getLead,
  getLeadStats,
  importLeads,
  listLeads,
  updateLead,
} from '#schemas/leads.ts';
import { inviteMember } from '#schemas/organizations.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import { newLead, type Tenant } from './tenants.ts';

/** The calls that a connection sends one after another. */
export type Kind = {
  readonly name: string;
  readonly connections: number;
  readonly next: () => {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
};

const customersOfPage = 50;
/** The publishing job runs every minute. */
const scheduledAheadMs = 60_000;
/** One import in this many has more rows than the request processes, so the worker imports them. */
const importsPerLongImport = 30;
const rowsOfImport = { short: 2, long: 110 } as const;

function pathOf({ path }: Contract, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
}

function anyOf<T>(all: readonly [T, ...T[]]): T {
  return all[randomInt(all.length)] ?? all[0];
}

/** An authenticated call, each time for a random organization. */
function signedIn(
  name: string,
  connections: number,
  contract: Contract,
  tenants: readonly [Tenant, ...Tenant[]],
  input: (tenant: Tenant) => { readonly query?: string; readonly body?: object } = () => ({}),
): Kind {
  const next = () => {
    const tenant = anyOf(tenants);
    const { query = '', body } = input(tenant);
    const params = {
      organization_id: tenant.organizationId,
      lead_id: tenant.leadIds[randomInt(tenant.leadIds.length)] ?? '',
    };

    return {
      method: contract.method,
      path: `${pathOf(contract, params)}${query}`,
      headers: {
        authorization: `Bearer ${tenant.token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
  };

  return { name, connections, next };
}

/** A private message from a page's customer, in Facebook's format and signed. */
function inboundEvents(tenants: readonly [Tenant, ...Tenant[]], secret: string): Kind {
  const next = () => {
    const { pageId } = anyOf(tenants);
    const time = Date.now();
    const sender = { id: `${pageId}-customer-${randomInt(customersOfPage)}` };
    const message = { mid: `m_${randomUUID()}`, text: 'What does an engine cost?' };
    const messaging = [{ sender, recipient: { id: pageId }, timestamp: time, message }];
    const body = JSON.stringify({ object: 'page', entry: [{ id: pageId, time, messaging }] });
    const signature = createHmac('sha256', secret).update(body).digest('hex');

    return {
      method: receiveNetworkEvents.method,
      path: pathOf(receiveNetworkEvents, { platform: 'facebook' }),
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    };
  };

  return { name: 'network event', connections: 1, next };
}

/** A click on a short link by another visitor. */
function clicks(tenants: readonly [Tenant, ...Tenant[]]): Kind {
  const next = () => ({
    method: followBioLink.method,
    path: pathOf(followBioLink, { code: anyOf(tenants).linkCode }),
    headers: { 'user-agent': `Mozilla/5.0 (visitor ${randomUUID()})` },
  });

  return { name: 'click', connections: 1, next };
}

function scheduledPost({ accountId }: Tenant) {
  return {
    body: {
      socialAccountId: accountId,
      platform: 'FACEBOOK',
      content: `New engines are here (${randomUUID()})`,
      scheduledAt: new Date(Date.now() + scheduledAheadMs).toISOString(),
    },
  };
}

function leadFile() {
  const isLong = randomInt(importsPerLongImport) === 0;
  const rows = Array.from({ length: isLong ? rowsOfImport.long : rowsOfImport.short }, () => {
    const mark = randomUUID();

    return `Customer ${mark.slice(0, 8)},${mark}@example.com`;
  });

  return { body: { csv: ['name,email', ...rows].join('\r\n') } };
}

/**
 * The connections: seven for reads, two for writes, and one each for scheduled posts, imports,
 * invitations, events and clicks. Agents answer the events, and a receiver gets them. Only
 * invitations have a limit per user.
 */
export function scenario(tenants: readonly [Tenant, ...Tenant[]], secret: string): readonly Kind[] {
  return [
    signedIn('list leads', 3, listLeads, tenants, () => ({ query: '?limit=20' })),
    signedIn('get lead', 2, getLead, tenants),
    signedIn('get lead statistics', 1, getLeadStats, tenants),
    signedIn('get current user', 1, getMe, tenants),
    signedIn('create lead', 1, createLeadWithContact, tenants, ({ pipelineId }) => ({
      body: newLead(pipelineId),
    })),
    signedIn('update lead', 1, updateLead, tenants, () => ({
      body: { value: randomInt(1_000_000) },
    })),
    signedIn('schedule post', 1, createContentPost, tenants, scheduledPost),
    signedIn('import leads', 1, importLeads, tenants, leadFile),
    signedIn('invite member', 1, inviteMember, tenants, () => ({
      body: { email: `${randomUUID()}@example.com`, role: 'VIEWER' },
    })),
    inboundEvents(tenants, secret),
    clicks(tenants),
  ];
}
