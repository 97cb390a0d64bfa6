import type { Operation } from '#scripts/build/generate/openapi/document.ts';

type RequestExample = { readonly name: string; readonly body: unknown };

/** Returns the examples for an operation's body from the OpenAPI document. */
export function requestExamples(operation: Operation | undefined): readonly RequestExample[] {
  const content = operation?.requestBody?.content['application/json'];
  if (!content) {
    return [];
  }
  const named = Object.entries(content.examples ?? { example: { value: content.example } });

  return named.map(([name, { value }]) => ({ name, body: value }));
}
