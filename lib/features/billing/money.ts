/** All amounts but a plan's are told in this currency, in whole units. */
export const currency = 'USD';

/** One US dollar buys a hundred credits: a credit costs a cent. */
const creditsPerDollar = 100;

/** Cents of an amount in dollars that has no more than two decimals. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100);
}

export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** What an amount buys. */
export function creditsFor(amountCents: number): number {
  return (amountCents * creditsPerDollar) / 100;
}
