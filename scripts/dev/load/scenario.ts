import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { getMe } from '#schemas/auth.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  createLeadWithContact,
  getLead,
  getLeadStats,
  listLeads,
  updateLead,
} from '#schemas/leads.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import { newLead, type Tenant } from './tenants.ts';

/** What is sent by one connection, one call after another. */
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

function pathOf({ path }: Contract, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
}

function anyOf<T>(all: readonly [T, ...T[]]): T {
  return all[randomInt(all.length)] ?? all[0];
}

/** A call of somebody who is signed in, each time in another organization. */
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

/** A private message of one of a page's customers, as Facebook sends and signs it. */
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

  return { name: 'an event of a network', connections: 1, next };
}

/** Seven reads of people to two writes and one event; none of them has a limit per user. */
export function scenario(tenants: readonly [Tenant, ...Tenant[]], secret: string): readonly Kind[] {
  return [
    signedIn('a page of leads', 3, listLeads, tenants, () => ({ query: '?limit=20' })),
    signedIn('a lead', 2, getLead, tenants),
    signedIn('figures of leads', 1, getLeadStats, tenants),
    signedIn('who am I', 1, getMe, tenants),
    signedIn('a new lead', 1, createLeadWithContact, tenants, ({ pipelineId }) => ({
      body: newLead(pipelineId),
    })),
    signedIn('a change of a lead', 1, updateLead, tenants, () => ({
      body: { value: randomInt(1_000_000) },
    })),
    inboundEvents(tenants, secret),
  ];
}
