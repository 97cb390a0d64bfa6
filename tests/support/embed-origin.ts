/**
 * May show the web app in a frame. It differs from the site of the stack, which is `localhost`.
 * Browsers do not allow pages from the internet to load content from this machine.
 */
export const embedOrigin = 'http://127.0.0.1:*';
