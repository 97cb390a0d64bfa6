import type { DirectMessage, FileMessage, MessageButton } from '#lib/vendors/networks/network.ts';

/** The content of a message: a text, or a button template if there are buttons. */
export function contentOf({ text, buttons = [] }: Pick<DirectMessage, 'text' | 'buttons'>) {
  if (buttons.length === 0) {
    return { text };
  }
  const payload = { template_type: 'button', text, buttons: buttons.map(buttonOf) };

  return { attachment: { type: 'template', payload } };
}

function buttonOf(button: MessageButton) {
  return 'url' in button
    ? { type: 'web_url', title: button.label, url: button.url }
    : { type: 'postback', title: button.label, payload: button.reply };
}

/** The attachment of a message. A message with an attachment cannot have a text. */
export function attachmentOf({ kind, url }: Pick<FileMessage, 'kind' | 'url'>) {
  return { type: kind === 'VIDEO' ? 'video' : 'image', payload: { url } };
}
