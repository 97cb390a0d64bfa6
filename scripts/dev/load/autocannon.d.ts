declare module 'autocannon' {
  type Request = {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  type Options = {
    readonly url: string;
    readonly connections: number;
    /** In seconds, as is `timeout`. */
    readonly duration: number;
    readonly timeout: number;
    /** Calls per second over all connections. As fast as possible without it. */
    readonly overallRate?: number;
    /** Measures latency of 2xx responses only. */
    readonly excludeErrorStats: boolean;
    readonly requests: ReadonlyArray<{ readonly setupRequest: (defaults: Request) => Request }>;
  };
  export type Result = {
    /** In milliseconds. */
    readonly latency: Readonly<Record<'p50' | 'p90' | 'p99' | 'max', number>>;
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    /** Broken connections and timeouts. */
    readonly errors: number;
    /** In seconds. */
    readonly duration: number;
  };

  // biome-ignore lint/style/noDefaultExport: the package has no other.
  export default function autocannon(options: Options): Promise<Result>;
}
