// Runs in the browser on the page of GET /docs. Tokens that a person enters are kept only in the
// page's memory, and lost when the page closes.

/** Resolves a JSON Pointer (RFC 6901) within the document. */
function resolvePointer(document, reference) {
  return reference
    .slice('#/'.length)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, name) => place?.[name], document);
}

/** Returns a copy with all references replaced by their targets, except circular ones. */
function resolveReferences(value, document, within = []) {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => resolveReferences(one, document, within));
  }
  const { $ref, ...rest } = value;
  const siblings = Object.entries(rest).map(([name, one]) => [
    name,
    resolveReferences(one, document, within),
  ]);
  if (typeof $ref !== 'string' || within.includes($ref)) {
    return merged({ ...($ref === undefined ? {} : { $ref }), ...Object.fromEntries(siblings) });
  }
  const target = resolveReferences(resolvePointer(document, $ref), document, [...within, $ref]);

  return { ...target, ...Object.fromEntries(siblings) };
}

/** Merges `allOf` into one schema, because Swagger UI shows no example of `allOf`. */
function merged({ allOf, ...own }) {
  if (!Array.isArray(allOf)) {
    return own;
  }
  const parts = [...allOf, own];
  const properties = parts.map((part) => part.properties);

  return Object.assign({}, ...parts, { properties: Object.assign({}, ...properties) });
}

/**
 * Resolves the references of an operation when it is opened. Swagger UI's own resolver also
 * supports external documents, and rereads the whole document for each operation, which takes
 * seconds.
 */
const localReferencesPlugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        requestResolvedSubtree:
          (_, { specActions, specSelectors }) =>
          (path) => {
            const document = specSelectors.specJson().toJS();
            const subtree = path.reduce((place, name) => place?.[name], document);

            return specActions.updateResolvedSubtree(path, resolveReferences(subtree, document));
          },
      },
    },
  },
});

window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  plugins: [localReferencesPlugin],
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
