import { beginningWith, type Key, tenant } from './key.ts';

export const liveKeys = {
  /** A connection that is still to be opened. Both kinds are counted by one query. */
  liveTicket: (organizationId: string, tokenHash: string): Key => ({
    pk: live(organizationId),
    sk: `CONNECTING#${tokenHash}`,
  }),
  liveConnection: (organizationId: string, connectionId: string): Key => ({
    pk: live(organizationId),
    sk: `CONNECTION#${connectionId}`,
  }),
  /** Maps a connection to its organization, because the gateway reports the end by the id alone. */
  liveConnectionClaim: (connectionId: string): Key => ({
    pk: `LIVE#${connectionId}`,
    sk: 'CLAIM',
  }),
};

export const liveRanges = {
  liveTickets: (organizationId: string) => beginningWith(live(organizationId), 'CONNECTING#'),
  liveConnections: (organizationId: string) => beginningWith(live(organizationId), 'CONNECTION#'),
  liveTicketsAndConnections: (organizationId: string) =>
    beginningWith(live(organizationId), 'CONNECT'),
};

/** Connections outlive the organization, because they are closed by what is stored here. */
function live(organizationId: string): string {
  return `${tenant(organizationId)}#LIVE`;
}
