import { beginningWith, type Key, tenant } from './key.ts';

export const liveKeys = {
  /** A connection that is not open yet. One query counts these together with open connections. */
  liveTicket: (organizationId: string, tokenHash: string): Key => ({
    pk: live(organizationId),
    sk: `CONNECTING#${tokenHash}`,
  }),
  liveConnection: (organizationId: string, connectionId: string): Key => ({
    pk: live(organizationId),
    sk: `CONNECTION#${connectionId}`,
  }),
  /**
   * Maps a connection to its organization, because the gateway reports the end of a connection only
   * by its id.
   */
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

/** Connections outlive the organization, because closing them needs these items. */
function live(organizationId: string): string {
  return `${tenant(organizationId)}#LIVE`;
}
