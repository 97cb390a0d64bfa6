import { config } from '#lib/platform/config.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';

class CardWelcomedError extends Error {}

/**
 * Writes a signup with its welcome credits. Grants no credits if the card has already granted them
 * as often as allowed, or if the provider does not identify the card. The card is counted in the
 * same transaction, so concurrent signups cannot exceed the limit.
 */
export async function writeWithWelcome(
  cardFingerprint: string | undefined,
  writesWith: (welcomeCredits: number) => readonly Write[],
): Promise<void> {
  const { welcomeCredits } = config;
  if (!cardFingerprint || welcomeCredits === 0) {
    await write(...writesWith(0));

    return;
  }
  try {
    await write(...writesWith(welcomeCredits), planWelcome(cardFingerprint));
  } catch (failure) {
    if (!(failure instanceof CardWelcomedError)) {
      throw failure;
    }
    await write(...writesWith(0));
  }
}

/** Counts the card by a hash, so that the table does not identify it. */
function planWelcome(cardFingerprint: string): Write {
  return change(billingKeys.cardWelcomes(hashToken(cardFingerprint)), {
    add: { given: 1 },
    when: either(absent('given'), below('given', config.welcomeCreditsPerCard)),
    orCreate: true,
    onConditionFailed: () => new CardWelcomedError(),
  });
}
