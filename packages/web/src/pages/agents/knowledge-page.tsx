import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Loaded, useReread, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client, type KnowledgeSource } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { AddKnowledge, ChangeKnowledge, typeNames } from './add-knowledge.tsx';
import { useSources, type WithTabs } from './agent.ts';

export function KnowledgePage({ tabs }: WithTabs) {
  const can = useCan();
  const [isAdding, setIsAdding] = useState(false);
  const sources = useSources();
  const isReading = sources.data?.sources.some(({ status }) => status === 'PENDING') ?? false;
  useReread('agents', { while: isReading });

  return (
    <Page
      title="Knowledge"
      actions={
        can('MEMBER') && (
          <button type="button" class="button primary" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden="true" />
            Add knowledge
          </button>
        )
      }
    >
      {tabs}
      <Loaded of={sources}>
        {({ sources: all }) =>
          all.length === 0 ? (
            <Empty title="No knowledge yet">
              <p>Texts, web pages and files that agents answer from: prices, hours, delivery.</p>
            </Empty>
          ) : (
            <ul class="rows">
              {all.map((source) => (
                <Source key={source.id} source={source} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <AddKnowledge onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

const states: Readonly<
  Record<KnowledgeSource['status'], { readonly name: string; readonly style: string }>
> = {
  PENDING: { name: 'Being read…', style: 'warning' },
  READY: { name: 'Ready', style: 'success' },
  FAILED: { name: 'Failed', style: 'danger' },
};

function Source({ source }: { readonly source: KnowledgeSource }) {
  const can = useCan();
  const { id: organizationId } = useMembership();
  const { ago, number } = useFormats();
  const [opened, setOpened] = useState<'change' | 'deletion'>();
  const close = () => setOpened(undefined);
  const { id: sourceId, name, type, status, chunkCount, failureReason, lastSyncedAt } = source;
  const reading = useSend(
    (_: unknown, options) => client.ai.syncKnowledgeSource({ organizationId, sourceId }, options),
    { changes: ['agents'] },
  );
  const deleting = useSend(() => client.ai.deleteKnowledgeSource({ organizationId, sourceId }), {
    changes: ['agents'],
  });

  return (
    <li class="row" aria-label={name}>
      <div class="row-main">
        <span>{name}</span>
        <span class="quiet small">
          {typeNames[type]} · {number(chunkCount)} {chunkCount === 1 ? 'passage' : 'passages'}
          {lastSyncedAt && ` · Read ${ago(lastSyncedAt)}`}
        </span>
        {failureReason && <span class="message">{failureReason}</span>}
      </div>
      <span class={`badge ${states[status].style}`} role="status">
        {states[status].name}
      </span>
      {can('MEMBER') && type === 'URL' && (
        <button
          type="button"
          class="button"
          aria-disabled={reading.isSending}
          onClick={() => reading.isSending || void reading.send('').catch(() => undefined)}
        >
          Read again<span class="hidden">: {name}</span>
        </button>
      )}
      {can('MEMBER') && (
        <button type="button" class="button" onClick={() => setOpened('change')}>
          Change<span class="hidden"> {name}</span>
        </button>
      )}
      {can('ADMIN') && (
        <button type="button" class="button" onClick={() => setOpened('deletion')}>
          Delete<span class="hidden"> {name}</span>
        </button>
      )}
      <Failed of={reading} />
      {opened === 'change' && <ChangeKnowledge source={source} onClose={close} />}
      {opened === 'deletion' && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete source"
          sending={deleting}
          onClose={close}
        >
          <p>Agents no longer know it.</p>
        </Confirm>
      )}
    </li>
  );
}
