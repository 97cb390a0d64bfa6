// Runs in the browser, on the page of GET /docs. A token that is entered stays in this page alone:
// it is kept nowhere, and gone with the page.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
