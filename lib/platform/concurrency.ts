/** Runs `work` for each item, at most `limit` at a time. Results keep the order of the items. */
export async function atMostAtOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const pending = items.entries();
  const drain = async () => {
    for (const [index, item] of pending) {
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: limit }, drain));

  return results;
}
