import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Loaded, useGetByLink, useSend } from '../../frame/data.tsx';
import { useCan, useMembership } from '../../frame/session.tsx';
import { useAgents } from '../../frame/shared-data.ts';
import { client, type PromptTemplate } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { TemplateForm } from './template-form.tsx';
import { TestConversation } from './test-conversation.tsx';

export function TemplatePage({ templateId }: { readonly templateId: string }) {
  const can = useCan();
  const query = useGetByLink(['agents', 'template', templateId], (organizationId, options) =>
    client.ai.getPromptTemplate({ organizationId, templateId }, options),
  );
  const template = query.data?.promptTemplate;

  return (
    <Page
      title={template?.name ?? 'Template'}
      actions={template && <Actions template={template} />}
    >
      <Loaded of={query}>
        {({ promptTemplate }) =>
          can('MEMBER') ? (
            <div class="editor">
              <TemplateForm template={promptTemplate} />
              <Test template={promptTemplate} />
            </div>
          ) : (
            <p class="text">{promptTemplate.templateContent}</p>
          )
        }
      </Loaded>
    </Page>
  );
}

/**
 * Tests an agent that uses the template, if there is one, because the agent also has knowledge and
 * variables.
 */
function Test({ template }: { readonly template: PromptTemplate }) {
  const agents = useAgents();

  return (
    <Loaded of={agents}>
      {({ aiAgents }) => (
        <TestConversation
          template={template}
          agentId={aiAgents.find(({ promptTemplateId }) => promptTemplateId === template.id)?.id}
        />
      )}
    </Loaded>
  );
}

function Actions({ template: { id, name } }: { readonly template: PromptTemplate }) {
  const can = useCan();
  const [isDeleting, setIsDeleting] = useState(false);
  const [, navigate] = useLocation();
  const { id: organizationId } = useMembership();
  const deleting = useSend(
    async () => {
      await client.ai.deletePromptTemplate({ organizationId, templateId: id });
      navigate('/agents/templates', { replace: true });
    },
    { changes: ['agents'] },
  );

  return (
    <>
      <Link href="/agents/templates">All templates</Link>
      {can('MEMBER') && (
        <button type="button" class="button" onClick={() => setIsDeleting(true)}>
          Delete
        </button>
      )}
      {isDeleting && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete template"
          sending={deleting}
          onClose={() => setIsDeleting(false)}
        >
          <p>Agents and campaigns must not use it any more.</p>
        </Confirm>
      )}
    </>
  );
}
