import { Plus, X } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { type CallOptions, client, type KnowledgeSource, PageError } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, Select, TextArea } from '../../ui/form.tsx';

export const typeNames: Readonly<Record<KnowledgeSource['type'], string>> = {
  TEXT: 'Text',
  FAQ: 'Questions and answers',
  URL: 'Web page',
  FILE: 'File',
};

type Pair = { readonly question: string; readonly answer: string };

const newPair: Pair = { question: '', answer: '' };
const newSource = {
  type: 'TEXT' as KnowledgeSource['type'],
  name: '',
  text: '',
  url: '',
  faq: [newPair] as readonly Pair[],
};

const contentTypes = {
  txt: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  pdf: 'application/pdf',
} as const;

/** Adds a text, questions, a web page or a file to the agents' knowledge. */
export function AddKnowledge({ onClose }: { readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const { value: edited, change, forget } = useDraftOf('knowledge:new', newSource);
  const input = useRef<HTMLInputElement>(null);
  const adding = useSend(
    async (_: unknown, options) => {
      const { type, name, text, url, faq } = edited;
      if (type === 'FILE') {
        return addFile(organizationId, name, input.current?.files?.[0], options);
      }
      const content = { TEXT: { text }, FAQ: { faq }, URL: { url } }[type];

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
          options={typeNames}
          value={edited.type}
          onChange={({ currentTarget }) =>
            change({ type: currentTarget.value as typeof edited.type })
          }
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
        {edited.type === 'FAQ' && <Pairs pairs={edited.faq} onChange={(faq) => change({ faq })} />}
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

function Pairs({
  pairs,
  onChange,
}: {
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}) {
  const set = (index: number, changed: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...changed } : pair)));

  return (
    <>
      {pairs.map(({ question, answer }, index) => (
        <fieldset key={index}>
          <legend>Question {index + 1}</legend>
          <Field
            name={`faq.${index}.question`}
            label={`Question ${index + 1}`}
            required
            value={question}
            onInput={({ currentTarget }) => set(index, { question: currentTarget.value })}
          />
          <TextArea
            name={`faq.${index}.answer`}
            label={`Answer ${index + 1}`}
            required
            value={answer}
            onInput={({ currentTarget }) => set(index, { answer: currentTarget.value })}
          />
          {pairs.length > 1 && (
            <button
              type="button"
              class="button small-button"
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              <X aria-hidden="true" />
              Remove question {index + 1}
            </button>
          )}
        </fieldset>
      ))}
      <button
        type="button"
        class="button small-button"
        onClick={() => onChange([...pairs, newPair])}
      >
        <Plus aria-hidden="true" />
        Add question
      </button>
    </>
  );
}

/** Renames a source, and replaces its text or address. The API does not return the current text. */
export function ChangeKnowledge({
  source: { id: sourceId, name, type },
  onClose,
}: {
  readonly source: KnowledgeSource;
  readonly onClose: () => void;
}) {
  const { id: organizationId } = useMembership();
  const draft = useDraftOf(`knowledge:${sourceId}`, { name, text: '', url: '' });
  const { value: edited, change, forget } = draft;
  const saving = useSend(
    () =>
      client.ai.updateKnowledgeSource({
        organizationId,
        sourceId,
        name: edited.name,
        ...(edited.text.trim() && { text: edited.text }),
        ...(edited.url.trim() && { url: edited.url }),
      }),
    { changes: ['agents'] },
  );

  return (
    <Dialog title={`Change ${name}`} onClose={onClose}>
      <Form
        sending={saving}
        action="Save"
        onDone={() => {
          forget();
          onClose();
        }}
      >
        <Field
          name="name"
          label="Name"
          required
          value={edited.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        {type === 'TEXT' && (
          <TextArea
            name="text"
            label="New text"
            rows={8}
            hint="Replaces the whole text. Leave it empty to keep the text."
            value={edited.text}
            onInput={({ currentTarget }) => change({ text: currentTarget.value })}
          />
        )}
        {type === 'URL' && (
          <Field
            name="url"
            label="New address"
            type="url"
            hint="Leave it empty to keep the address."
            value={edited.url}
            onInput={({ currentTarget }) => change({ url: currentTarget.value })}
          />
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
