import { createHash } from 'node:crypto';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';

/** Maximum length of the local part (RFC 5321, 4.5.3.1.1). */
const maxLocalLength = 64;

export type Speaker = Pick<Conversation, 'platform' | 'customer'>;

/**
 * Returns a placeholder address that is unique to this person, because networks do not share email
 * addresses. Ids are case-sensitive and addresses are not, so uppercase letters are encoded.
 */
export function placeholderAddress({ platform, customer: { id } }: Speaker): string {
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

/**
 * Returns the person that a placeholder address identifies. `undefined` for other addresses, and
 * for ids that were too long for an address.
 */
export function customerOfStandIn(
  address: string,
): { readonly platform: Platform; readonly id: string } | undefined {
  const platform = platforms.find((one) => address.endsWith(domainOf(one)));
  if (!platform || address.startsWith('__')) {
    return undefined;
  }
  const local = address.slice(0, -domainOf(platform).length);
  const id = local.replaceAll(/_([0-9a-f]{1,6})_/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );

  return { platform, id };
}

function asHex(character: string): string {
  return `_${character.codePointAt(0)?.toString(16)}_`;
}

/** Starts with `__`, which no encoded id does, and has the maximum length. */
function digestOf(id: string): string {
  const digest = createHash('sha256').update(id).digest('hex');

  return `__${digest}`.slice(0, maxLocalLength);
}
