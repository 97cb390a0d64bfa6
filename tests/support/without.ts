/** Returns `some` without `others`. Removes each as often as it occurs there. */
export function without(some: readonly string[], others: readonly string[]): readonly string[] {
  return others.reduce((rest, one) => {
    const index = rest.indexOf(one);

    return index < 0 ? rest : rest.toSpliced(index, 1);
  }, some);
}
