/** The settings in the page, written by `lib/features/app/app-page.ts`. */
export type Settings = {
  /** True if the browser has a session cookie. That session may have ended. */
  readonly hasSession: boolean;
  readonly stripePublishableKey: string | null;
  readonly google: { readonly clientId: string; readonly authUrl: string } | null;
};

const content = document.querySelector<HTMLMetaElement>('meta[name=settings]')?.content ?? '{}';

export const settings: Settings = JSON.parse(content);
