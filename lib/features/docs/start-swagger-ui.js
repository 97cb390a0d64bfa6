// Runs in the browser, on the page of GET /docs. A token that is entered stays in this page alone:
// it is kept nowhere, and gone with the page.

/** What a JSON Pointer of the document itself (RFC 6901) points to. */
function pointedAt(document, reference) {
  return reference
    .slice('#/'.length)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, name) => place?.[name], document);
}

/** A copy with what its references point to in their place, but where one leads back to itself. */
function withoutReferences(value, document, within = []) {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => withoutReferences(one, document, within));
  }
  const { $ref, ...rest } = value;
  const beside = Object.entries(rest).map(([name, one]) => [
    name,
    withoutReferences(one, document, within),
  ]);
  if (typeof $ref !== 'string' || within.includes($ref)) {
    return { ...($ref === undefined ? {} : { $ref }), ...Object.fromEntries(beside) };
  }
  const target = withoutReferences(pointedAt(document, $ref), document, [...within, $ref]);

  return { ...target, ...Object.fromEntries(beside) };
}

/**
 * Resolves what an operation refers to, when it is opened. Swagger UI's own resolver knows
 * references to other documents too, and reads all of this one anew for each operation: that takes
 * seconds.
 */
const ownReferencesAlone = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        requestResolvedSubtree:
          (_, { specActions, specSelectors }) =>
          (path) => {
            const document = specSelectors.specJson().toJS();
            const subtree = path.reduce((place, name) => place?.[name], document);

            return specActions.updateResolvedSubtree(path, withoutReferences(subtree, document));
          },
      },
    },
  },
});

window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  plugins: [ownReferencesAlone],
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
