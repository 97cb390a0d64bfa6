import { createHash } from 'node:crypto';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';

/** Of what stands before the @ (RFC 5321, 4.5.3.1.1). */
const maxLocalLength = 64;

/** Somebody at a network. */
export type Speaker = Pick<Conversation, 'platform' | 'customer'>;

/**
 * Networks do not tell addresses: such a contact has one that stands for the person there, and for
 * nobody else. Addresses do not tell letters by their case, as ids do.
 */
export function standInAddress({ platform, customer: { id } }: Speaker): string {
  const spelled = id.replaceAll(/[^a-z0-9-]/gu, asHex);
  const local = spelled.length <= maxLocalLength ? spelled : digestOf(id);

  return `${local}${domainOf(platform)}`;
}

function domainOf(platform: Platform): string {
  return `@${platform.toLowerCase()}.invalid`;
}

export function isStandIn(address: string): boolean {
  return platforms.some((platform) => address.endsWith(domainOf(platform)));
}

function asHex(character: string): string {
  return `_${character.codePointAt(0)?.toString(16)}_`;
}

/** Begins as nothing does that is spelled out, and is as long as it may be. */
function digestOf(id: string): string {
  const digest = createHash('sha256').update(id).digest('hex');

  return `__${digest}`.slice(0, maxLocalLength);
}
