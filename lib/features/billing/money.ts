/** Currency of all amounts. All amounts except a plan's are in whole units. */
export const currency = 'USD';

/** One credit costs one cent. */
const creditsPerDollar = 100;

/** Converts dollars, with at most two decimals, to cents. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100);
}

export function dollarsOf(cents: number): number {
  return cents / 100;
}

export function creditsFor(amountCents: number): number {
  return (amountCents * creditsPerDollar) / 100;
}
