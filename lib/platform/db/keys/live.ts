import { beginningWith, key, tenant } from './key.ts';

export const liveKeys = {
  /** A connection that is not open yet. One query counts these together with open connections. */
  liveTicket: (organizationId: string, tokenHash: string) =>
    key(live(organizationId), `CONNECTING#${tokenHash}`),
  liveConnection: (organizationId: string, connectionId: string) =>
    key(live(organizationId), `CONNECTION#${connectionId}`),
  /**
   * Maps a connection to its organization, because the gateway reports the end of a connection only
   * by its id.
   */
  liveConnectionClaim: (connectionId: string) => key(`LIVE#${connectionId}`, 'CLAIM'),
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
