import { Plus } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';
import { Loaded } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import { useAgents } from '../../frame/shared-data.ts';
import type { ListAgentsResponse } from '../../service.ts';
import { channelNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { statusNames, statusStyles, type WithTabs } from './agent.ts';

export function AgentsPage({ tabs }: WithTabs) {
  const can = useCan();
  const [, navigate] = useLocation();
  const agents = useAgents();

  return (
    <Page
      title="Agents"
      actions={
        can('MEMBER') && (
          <button type="button" class="button primary" onClick={() => navigate('/agents/new')}>
            <Plus aria-hidden="true" />
            New agent
          </button>
        )
      }
    >
      {tabs}
      <Loaded of={agents}>
        {({ aiAgents }) =>
          aiAgents.length === 0 ? (
            <Empty title="No agents yet">
              <p>An agent answers comments and messages with a template and your knowledge.</p>
            </Empty>
          ) : (
            <List agents={aiAgents} />
          )
        }
      </Loaded>
    </Page>
  );
}

function List({ agents }: { readonly agents: ListAgentsResponse['aiAgents'] }) {
  const { number } = useFormats();

  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Status</th>
          <th scope="col" class="amount">
            Conversations
          </th>
          <th scope="col" class="amount">
            Rating
          </th>
        </tr>
      </thead>
      <tbody>
        {agents.map(({ id, name, channels, status, conversationCount, satisfactionScore }) => (
          <tr key={id}>
            <td>
              <Link href={`/agents/${id}`} class="title">
                {name}
              </Link>
              <p class="quiet small">
                {channels.map((channel) => `${channelNames[channel]}s`).join(', ')}
              </p>
            </td>
            <td>
              <span class={`badge ${statusStyles[status]}`}>{statusNames[status]}</span>
            </td>
            <td class="amount" data-label="Conversations">
              {number(conversationCount)}
            </td>
            <td class="amount" data-label="Rating">
              {satisfactionScore === 0 ? '–' : number(satisfactionScore)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
