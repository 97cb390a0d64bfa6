import type { Item } from './attribute-value.ts';

/** An item's position in its partition, as sortable texts. */
export type Place = {
  readonly range: string;
  /** Orders entries of an index that have the same range key. */
  readonly tie: string;
};

export type Entry = Place & { readonly item: Item };

/** The entries of a partition in order. */
export class SortedEntries {
  private readonly entries: Entry[] = [];

  get size(): number {
    return this.entries.length;
  }

  at(index: number): Entry | undefined {
    return this.entries[index];
  }

  find(place: Place): Item | undefined {
    const entry = this.entries[this.indexOf(place)];

    return entry && compare(entry, place) === 0 ? entry.item : undefined;
  }

  put(entry: Entry): void {
    const index = this.indexOf(entry);
    const known = this.entries[index];
    this.entries.splice(index, known && compare(known, entry) === 0 ? 1 : 0, entry);
  }

  remove(place: Place): void {
    const index = this.indexOf(place);
    const known = this.entries[index];
    if (known && compare(known, place) === 0) {
      this.entries.splice(index, 1);
    }
  }

  /** Returns the number of entries before this position. */
  indexOf(place: Place): number {
    return this.firstIndex((entry) => compare(entry, place) >= 0);
  }

  /** Returns the number of entries up to and including this position. */
  indexAfter(place: Place): number {
    return this.firstIndex((entry) => compare(entry, place) > 0);
  }

  /** Binary search. The test must be false for the first entries and true for the others. */
  firstIndex(test: (entry: Entry) => boolean): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (test(this.entries[middle] as Entry)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }

    return low;
  }
}

function compare(one: Place, other: Place): number {
  return compareTexts(one.range, other.range) || compareTexts(one.tie, other.tie);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
