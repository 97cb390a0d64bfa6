/** Maps all items with a concurrency of two. Results are in the order of the items. */
export async function mapTwoAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      results[index] = await work(item);
    }
  };
  await Promise.all([takeTurns(), takeTurns()]);

  return results;
}
