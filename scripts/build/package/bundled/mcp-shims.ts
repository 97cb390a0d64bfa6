import process from 'node:process';

/**
 * Replaces the Node-specific part of `@modelcontextprotocol/server` in bundles. It validates what
 * users enter into forms, which this server never sends, and ajv would be a quarter of the bundle.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('The validator is not in the bundle');
  }
}

export { process };
