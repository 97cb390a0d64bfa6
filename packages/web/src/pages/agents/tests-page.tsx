import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client, type InteractiveTemplateWithStatistics } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import type { WithTabs } from './agent.ts';

type Variants = readonly InteractiveTemplateWithStatistics[];

export function TestsPage({ tabs }: WithTabs) {
  const can = useCan();
  const [, navigate] = useLocation();
  const templates = useGet(['agents', 'variants'], (organizationId, options) =>
    client.ai.listInteractiveTemplates({ organizationId }, options),
  );

  return (
    <Page
      title="A/B tests"
      actions={
        can('MEMBER') && (
          <button
            type="button"
            class="button primary"
            onClick={() => navigate('/agents/tests/new')}
          >
            <Plus aria-hidden="true" />
            New A/B test
          </button>
        )
      }
    >
      {tabs}
      <Loaded of={templates}>
        {({ interactiveTemplates }) => {
          const tests = Map.groupBy(
            interactiveTemplates.filter(({ abTestVariant }) => abTestVariant !== null),
            ({ abTestVariant }) => abTestVariant?.testId ?? '',
          );

          return tests.size === 0 ? (
            <Empty title="No A/B tests yet">
              <p>Try two instructions on real conversations, and keep the one that sells more.</p>
            </Empty>
          ) : (
            <ul class="stack">
              {[...tests].map(([testId, variants]) => (
                <li key={testId}>
                  <Test testId={testId} variants={variants} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Test({ testId, variants }: { readonly testId: string; readonly variants: Variants }) {
  const { number, percent } = useFormats();
  const can = useCan();
  const sorted = variants.toSorted((one, other) =>
    (one.abTestVariant?.variant ?? '').localeCompare(other.abTestVariant?.variant ?? ''),
  );
  const results = useGet(['agents', 'test', testId], (organizationId, options) =>
    client.ai.getInteractiveTest({ organizationId, testId }, options),
  );

  return (
    <section class="card stack" aria-label={testId}>
      <h2>{testId}</h2>
      <Loaded of={results}>
        {({ test }) => (
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Variant</th>
                <th scope="col" class="amount">
                  Conversations
                </th>
                <th scope="col" class="amount">
                  Conversions
                </th>
                <th scope="col" class="amount">
                  Rate
                </th>
                <th scope="col" class="amount">
                  Probably best
                </th>
                {can('MEMBER') && (
                  <th scope="col">
                    <span class="hidden">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {sorted.map((variant) => {
                const result = test.variants.find(({ templateId }) => templateId === variant.id);

                return (
                  <tr key={variant.id}>
                    <td>
                      {variant.abTestVariant?.variant}: {variant.name}
                      {!variant.isActive && ' (paused)'}
                    </td>
                    <td class="amount" data-label="Conversations">
                      {number(result?.assignments ?? 0)}
                    </td>
                    <td class="amount" data-label="Conversions">
                      {number(result?.conversions ?? 0)}
                    </td>
                    <td class="amount" data-label="Rate">
                      {percent((result?.conversionRate ?? 0) / 100)}
                    </td>
                    <td class="amount" data-label="Probably best">
                      {percent(result?.probabilityBest ?? 0)}
                    </td>
                    {can('MEMBER') && (
                      <td>
                        <Actions variant={variant} />
                      </td>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </Loaded>
    </section>
  );
}

function Actions({ variant }: { readonly variant: InteractiveTemplateWithStatistics }) {
  const { id: organizationId } = useMembership();
  const [isDeleting, setIsDeleting] = useState(false);
  const { id: templateId, name, isActive } = variant;
  const switching = useSend(
    (_: unknown, options) =>
      client.ai.updateInteractiveTemplate(
        { organizationId, templateId, isActive: !isActive },
        options,
      ),
    { changes: ['agents'] },
  );
  const deleting = useSend(
    () => client.ai.deleteInteractiveTemplate({ organizationId, templateId }),
    { changes: ['agents'] },
  );

  return (
    <div class="actions">
      <button
        type="button"
        class="button"
        aria-disabled={switching.isSending}
        onClick={() => switching.isSending || void switching.send('').catch(() => undefined)}
      >
        {isActive ? 'Pause' : 'Resume'}
        <span class="hidden"> {name}</span>
      </button>
      <button type="button" class="button" onClick={() => setIsDeleting(true)}>
        Delete<span class="hidden"> {name}</span>
      </button>
      <Failed of={switching} />
      {isDeleting && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete variant"
          sending={deleting}
          onClose={() => setIsDeleting(false)}
        >
          <p>Its results are deleted, too.</p>
        </Confirm>
      )}
    </div>
  );
}
