import { Plus } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';
import { Loaded, More, usePages } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { SearchFilter, useFilters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import type { WithTabs } from './agent.ts';

export function TemplatesPage({ tabs }: WithTabs) {
  const can = useCan();
  const [, navigate] = useLocation();
  const { number } = useFormats();
  const { those } = useFilters();
  const filters = those('search');
  const templates = usePages(
    ['agents', 'template-pages', filters],
    (organizationId, page, options) =>
      client.ai.listPromptTemplates({ organizationId, ...filters, ...page }, options),
  );

  return (
    <Page
      title="Templates"
      actions={
        can('MEMBER') && (
          <button
            type="button"
            class="button primary"
            onClick={() => navigate('/agents/templates/new')}
          >
            <Plus aria-hidden="true" />
            New template
          </button>
        )
      }
    >
      {tabs}
      <div class="toolbar">
        <SearchFilter label="Search templates" />
      </div>
      <Loaded of={templates}>
        {({ pages }) => {
          const all = pages.flatMap(({ promptTemplates }) => promptTemplates);

          return all.length === 0 ? (
            <Empty title={filters.search ? 'No template matches' : 'No templates yet'}>
              <p>A template tells the agent what to do, and how to sound.</p>
            </Empty>
          ) : (
            <>
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Template</th>
                    <th scope="col" class="amount">
                      Used
                    </th>
                    <th scope="col" class="amount">
                      Tested
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map(({ id, name, description, usageCount, testCount }) => (
                    <tr key={id}>
                      <td>
                        <Link href={`/agents/templates/${id}`} class="title">
                          {name}
                        </Link>
                        {description && <p class="quiet small">{description}</p>}
                      </td>
                      <td class="amount" data-label="Used">
                        {number(usageCount)}
                      </td>
                      <td class="amount" data-label="Tested">
                        {number(testCount)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <More of={templates} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
