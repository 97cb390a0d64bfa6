declare module 'parse-prometheus-text-format' {
  type Metric = {
    readonly value?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly buckets?: Readonly<Record<string, string>>;
  };
  type Family = {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly Metric[];
  };

  // biome-ignore lint/style/noDefaultExport: the package has no other.
  export default function parse(text: string): readonly Family[];
}
