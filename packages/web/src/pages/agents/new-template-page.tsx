import { useLocation } from 'wouter-preact';
import { Page } from '../../ui/page.tsx';
import { TemplateForm } from './template-form.tsx';

export function NewTemplatePage() {
  const [, navigate] = useLocation();

  return (
    <Page title="New template">
      <TemplateForm onDone={(id) => navigate(`/agents/templates/${id}`, { replace: true })} />
    </Page>
  );
}
