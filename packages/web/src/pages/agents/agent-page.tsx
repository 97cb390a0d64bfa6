import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Loaded, useGetByLink, useSend } from '../../frame/data.tsx';
import { useCan, useMembership } from '../../frame/session.tsx';
import { type AiAgent, client } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { channelNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { statusNames, statusStyles } from './agent.ts';
import { AgentForm } from './agent-form.tsx';
import { TestConversation } from './test-conversation.tsx';

export function AgentPage({ agentId }: { readonly agentId: string }) {
  const can = useCan();
  const query = useGetByLink(['agents', 'agent', agentId], (organizationId, options) =>
    client.ai.getAgent({ organizationId, agentId }, options),
  );
  const agent = query.data?.aiAgent;

  return (
    <Page title={agent?.name ?? 'Agent'} actions={agent && <Actions agent={agent} />}>
      <Loaded of={query}>
        {({ aiAgent }) =>
          can('MEMBER') ? (
            <div class="editor">
              <AgentForm agent={aiAgent} />
              <TestConversation agentId={aiAgent.id} />
            </div>
          ) : (
            <Facts agent={aiAgent} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Facts({ agent }: { readonly agent: AiAgent }) {
  return (
    <div class="stack">
      <p>
        <span class={`badge ${statusStyles[agent.status]}`}>{statusNames[agent.status]}</span>
      </p>
      {agent.description && <p class="text">{agent.description}</p>}
      <p>Answers: {agent.channels.map((channel) => `${channelNames[channel]}s`).join(', ')}</p>
    </div>
  );
}

function Actions({ agent: { id, name } }: { readonly agent: AiAgent }) {
  const can = useCan();
  const [isDeleting, setIsDeleting] = useState(false);
  const [, navigate] = useLocation();
  const { id: organizationId } = useMembership();
  const deleting = useSend(
    async () => {
      await client.ai.deleteAgent({ organizationId, agentId: id });
      navigate('/agents', { replace: true });
    },
    { changes: ['agents'] },
  );

  return (
    <>
      <Link href="/agents">All agents</Link>
      {can('ADMIN') && (
        <button type="button" class="button" onClick={() => setIsDeleting(true)}>
          Delete
        </button>
      )}
      {isDeleting && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete agent"
          sending={deleting}
          onClose={() => setIsDeleting(false)}
        >
          <p>It no longer answers. Its conversations stay.</p>
        </Confirm>
      )}
    </>
  );
}
