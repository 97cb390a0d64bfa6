import type { JsonSchema, SchemaComponents } from './json-schema.ts';

export type Reference = { readonly $ref: string };

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  /** Absent where it is false, which is the default of OpenAPI. */
  readonly required?: boolean;
  /** False if list elements are separated by commas. */
  readonly explode?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
};

type NamedExample = { readonly summary: string; readonly value: unknown };

export type MediaType = {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, NamedExample>>;
};

export type Header = { readonly description: string; readonly schema: JsonSchema };

export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
};

export type RequestBody = {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
};

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  /** Absent if the document's common security applies. */
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

export type PathItem = Readonly<Partial<Record<HttpMethod, Operation>>> & {
  /** What all operations of the path accept, in addition to their own parameters. */
  readonly parameters?: NonNullable<Operation['parameters']>;
};

export type Webhook = { readonly post: Operation };

type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'patch';

export type OpenapiDocument = {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Requests that the service sends, by event type. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  readonly components: {
    readonly schemas: SchemaComponents;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
};
