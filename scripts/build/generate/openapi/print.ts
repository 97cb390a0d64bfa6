import { printJson } from '#scripts/print-json.ts';
import type { OpenapiDocument } from './document.ts';

/** Returns the document as JSON with one line for each path, event and component. */
export function print(document: OpenapiDocument): string {
  return printJson(document, {
    paths: true,
    webhooks: true,
    components: { schemas: true, headers: true, parameters: true, responses: true },
  });
}
