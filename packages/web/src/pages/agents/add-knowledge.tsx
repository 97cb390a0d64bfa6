import { useRef } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { type CallOptions, client, PageError } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, Select, TextArea } from '../../ui/form.tsx';

const types = { TEXT: 'Text', URL: 'Web page', FILE: 'File' } as const;
type Type = keyof typeof types;

const newSource = { type: 'TEXT' as Type, name: '', text: '', url: '' };

const contentTypes = {
  txt: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  pdf: 'application/pdf',
} as const;

/** Adds a text, a web page or a file to the agents' knowledge. */
export function AddKnowledge({ onClose }: { readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const { value: edited, change, forget } = useDraftOf('knowledge:new', newSource);
  const input = useRef<HTMLInputElement>(null);
  const adding = useSend(
    async (_: unknown, options) => {
      const { type, name, text, url } = edited;
      if (type === 'FILE') {
        return addFile(organizationId, name, input.current?.files?.[0], options);
      }
      const content = type === 'TEXT' ? { text } : { url };

      return client.ai.createKnowledgeSource({ organizationId, type, name, ...content }, options);
    },
    { changes: ['agents'] },
  );

  return (
    <Dialog title="Add knowledge" onClose={onClose}>
      <Form
        sending={adding}
        action="Add"
        onDone={() => {
          forget();
          onClose();
        }}
      >
        <Select
          name="type"
          label="Kind"
          options={types}
          value={edited.type}
          onChange={({ currentTarget }) => change({ type: currentTarget.value as Type })}
        />
        <Field
          name="name"
          label="Name"
          placeholder="Opening hours"
          required
          value={edited.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        {edited.type === 'TEXT' && (
          <TextArea
            name="text"
            label="Text"
            rows={8}
            required
            value={edited.text}
            onInput={({ currentTarget }) => change({ text: currentTarget.value })}
          />
        )}
        {edited.type === 'URL' && (
          <Field
            name="url"
            label="Address"
            type="url"
            placeholder="https://"
            required
            value={edited.url}
            onInput={({ currentTarget }) => change({ url: currentTarget.value })}
          />
        )}
        {edited.type === 'FILE' && (
          <div class="field">
            <label for="knowledge-file">File</label>
            <input
              ref={input}
              id="knowledge-file"
              type="file"
              accept={Object.keys(contentTypes)
                .map((ending) => `.${ending}`)
                .join(',')}
            />
            <p class="hint">Text, Markdown, HTML or PDF, up to 10 MB</p>
          </div>
        )}
      </Form>
    </Dialog>
  );
}

async function addFile(
  organizationId: string,
  name: string,
  file: File | undefined,
  options: CallOptions,
) {
  if (!file) {
    throw new PageError('Choose a file.');
  }
  const ending = file.name.toLowerCase().split('.').at(-1) ?? '';
  const contentType = contentTypes[ending as keyof typeof contentTypes];
  if (!contentType) {
    throw new PageError('Choose a text, Markdown, HTML or PDF file.');
  }
  const { source, upload } = await client.ai.createKnowledgeSource(
    {
      organizationId,
      type: 'FILE',
      name,
      fileName: file.name,
      contentType,
      bytes: file.size,
    },
    options,
  );
  // Browsers set the length themselves.
  const { 'content-length': _, ...headers } = upload?.headers ?? {};
  const { method = 'PUT', url = '' } = upload ?? {};
  const response = await fetch(url, { method, headers, body: file }).catch(() => null);
  if (!response?.ok) {
    throw new PageError('The file couldn’t be uploaded. Check your connection.');
  }

  return client.ai.completeKnowledgeSource({ organizationId, sourceId: source.id });
}
