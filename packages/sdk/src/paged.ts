export type Operation = {
  readonly method: string;
  /** Parameters by their name in the input, such as `{organizationId}`. */
  readonly path: string;
  readonly query?: readonly string[];
  /** The input field that is sent as `X-Organization-Id`. */
  readonly header?: string;
  /** The response field that contains the items of a list. */
  readonly items?: string;
  readonly isIdempotent?: true;
  readonly isRedirect?: true;
};

type Fields = Readonly<Record<string, unknown>>;

export type Send = (input: Fields) => Promise<Fields>;

/**
 * A list. `await` returns a page, and `for await` returns the items of this page and all following
 * pages.
 */
export class Paged<Page, Item = unknown> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #send: Send;
  readonly #operation: Operation;
  readonly #input: Fields;
  #first: Promise<Fields> | undefined;

  constructor(send: Send, operation: Operation, input: Fields) {
    this.#send = send;
    this.#operation = operation;
    this.#input = input;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited.
  then<Result = Page, Failure = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#first ??= this.#send(this.#input);

    return (this.#first as Promise<Page>).then(onPage, onFailure);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    const { items = '', query = [] } = this.#operation;
    const { page: _, ...filters } = this.#input;
    let page = (await this) as Fields;
    while (true) {
      const found = page[items] as readonly Item[];
      yield* found;
      const next = nextOf(page, query, found);
      if (!next) {
        return;
      }
      page = await this.#send({ ...filters, ...next });
    }
  }
}

/** The input of the next page, if there is one. */
function nextOf(page: Fields, query: readonly string[], found: readonly unknown[]) {
  const { nextCursor } = Object(page.pagination) as { readonly nextCursor?: string | null };
  if (nextCursor && query.includes('cursor')) {
    return { cursor: nextCursor };
  }
  const last = found.at(-1) as { readonly id?: unknown } | undefined;

  return page.hasMore && last && query.includes('startingAfter')
    ? { startingAfter: last.id }
    : undefined;
}
