import { Link } from 'wouter-preact';
import { Loaded, More, usePages, useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client, type ListKnowledgeGapsResponse } from '../../service.ts';
import { Field, Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import type { WithTabs } from './agent.ts';

/** Questions that agents could not answer. */
export function GapsPage({ tabs }: WithTabs) {
  const gaps = usePages(['agents', 'gaps'], (organizationId, page, options) =>
    client.ai.listKnowledgeGaps({ organizationId, ...page }, options),
  );

  return (
    <Page title="Gaps">
      {tabs}
      <Loaded of={gaps}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.gaps);

          return all.length === 0 ? (
            <Empty title="No open questions">
              <p>What customers ask and the knowledge does not cover appears here.</p>
            </Empty>
          ) : (
            <>
              <ul class="stack">
                {all.map((gap) => (
                  <li key={gap.id}>
                    <Gap gap={gap} />
                  </li>
                ))}
              </ul>
              <More of={gaps} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Gap({ gap }: { readonly gap: ListKnowledgeGapsResponse['gaps'][number] }) {
  const can = useCan();
  const { id: organizationId } = useMembership();
  const { number, ago } = useFormats();
  const { id: gapId, question, count, lastAskedAt, conversationIds } = gap;
  const [answer, setAnswer] = useDraft(`gap:${gapId}`);
  const answering = useSend(
    (_: unknown, options) =>
      client.ai.answerKnowledgeGap({ organizationId, gapId, answer: answer.trim() }, options),
    { changes: ['agents'] },
  );
  const dismissing = useSend(() => client.ai.deleteKnowledgeGap({ organizationId, gapId }), {
    changes: ['agents'],
  });

  return (
    <article class="card stack" aria-label={question}>
      <div>
        <p class="gap-question">{question}</p>
        <p class="quiet small">
          Asked {count === 1 ? 'once' : `${number(count)} times`}, last {ago(lastAskedAt)}
          {conversationIds.map((id, index) => (
            <span key={id}>
              {' · '}
              <Link href={`/conversations/${id}`}>
                Conversation{conversationIds.length > 1 && ` ${index + 1}`}
              </Link>
            </span>
          ))}
        </p>
      </div>
      {can('MEMBER') && (
        <Form
          class="gap-form"
          sending={answering}
          action="Answer"
          onDone={() => setAnswer('')}
          aside={
            <button
              type="button"
              class="button"
              aria-disabled={dismissing.isSending}
              onClick={() => dismissing.isSending || void dismissing.send().catch(() => undefined)}
            >
              Dismiss
            </button>
          }
        >
          <Field
            name="answer"
            label="Answer"
            required
            value={answer}
            onInput={({ currentTarget }) => setAnswer(currentTarget.value)}
          />
        </Form>
      )}
      <Failed of={dismissing} />
    </article>
  );
}
