import { useLocation } from 'wouter-preact';
import { Page } from '../../ui/page.tsx';
import { AgentForm } from './agent-form.tsx';

export function NewAgentPage() {
  const [, navigate] = useLocation();

  return (
    <Page title="New agent">
      <AgentForm onDone={(id) => navigate(`/agents/${id}`, { replace: true })} />
    </Page>
  );
}
