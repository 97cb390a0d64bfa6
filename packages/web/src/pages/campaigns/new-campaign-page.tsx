import { useLocation } from 'wouter-preact';
import { Page } from '../../ui/page.tsx';
import { CampaignEditor } from './campaign-editor.tsx';

export function NewCampaignPage() {
  const [, navigate] = useLocation();

  return (
    <Page title="New campaign">
      <CampaignEditor onDone={(id) => navigate(`/campaigns/${id}`, { replace: true })} />
    </Page>
  );
}
