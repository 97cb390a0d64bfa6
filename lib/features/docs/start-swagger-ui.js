// Runs in the browser on GET /docs. An entered token stays in the page's memory and is never stored.

/** Resolves a local JSON Pointer (RFC 6901). */
function resolvePointer(document, reference) {
  return reference
    .slice('#/'.length)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, name) => place?.[name], document);
}

/** Returns a copy with all references resolved, except circular ones. */
function _withoutReferences(value, document, within = []) {
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
    return { ...($ref === undefined ? {} : { $ref }), ...Object.fromEntries(siblings) };
  }
  const target = _withoutReferences(resolvePointer(document, $ref), document, [...within, $ref]);

  return { ...target, ...Object.fromEntries(siblings) };
}

/**
 * Resolves the references of an operation when it is opened. Swagger UI's own resolver supports
 * external documents and rereads the whole document for each operation, which takes seconds.
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
