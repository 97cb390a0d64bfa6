/**
 * May show the web app in a frame. Not the site of the stack, which is at `localhost`. Browsers do
 * not let pages of the internet load what is on this machine.
 */
export const embedOrigin = 'http://127.0.0.1:*';
