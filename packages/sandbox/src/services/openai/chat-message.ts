export type ChatMessage = { readonly role: string; readonly content: string };
