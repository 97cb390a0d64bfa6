export { type CallOptions, type ClientOptions, SocialLeads } from './client.ts';
export { type Issue, SocialLeadsError } from './error.ts';
export type * from './operations.ts';
export type { Paged } from './paged.ts';
export { verifyWebhook } from './webhooks.ts';
