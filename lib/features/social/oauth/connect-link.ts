import type { Platform } from '#schemas/platforms.ts';

export type ConnectLink = {
  readonly id: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly linkTokenHash: string;
  readonly createdById: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedAt?: string;
  /** The session that connected accounts. */
  readonly usedBy?: string;
  readonly startedSessions?: number;
};
