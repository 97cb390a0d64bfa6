import { useId, useState } from 'preact/hooks';
import { Failures, useGet } from '../../frame/data.tsx';
import { useDebounced } from '../../frame/debounced.ts';
import { useAgents } from '../../frame/shared-data.ts';
import { type Campaign, client } from '../../service.ts';
import { type Tried, verdictOf } from './verdict.ts';

/** A field that shows how the service would handle a comment or message with this text. */
export function TryMessage({ campaign }: { readonly campaign: Tried }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const text = useDebounced(typed, 150).trim();
  const enabled = text !== '';
  const campaigns = useGet(
    ['campaigns', 'active'],
    async (organizationId, options) => {
      const all: Campaign[] = [];
      for await (const one of client.campaigns.list(
        { organizationId, status: 'ACTIVE', limit: 100 },
        options,
      )) {
        all.push(one);
      }

      return all;
    },
    { enabled },
  );
  const agents = useAgents({ enabled });
  const verdict =
    enabled && campaigns.data && agents.data
      ? verdictOf(campaign, text, { campaigns: campaigns.data, agents: agents.data.aiAgents })
      : undefined;

  return (
    <section class="card stack try" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>What would happen?</h2>
      <div class="field">
        <label for={id}>Try a message</label>
        <textarea
          id={id}
          rows={2}
          placeholder="How much is it?"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      <Failures of={[campaigns, agents]} />
      <div>
        <p role="status" class={`verdict ${verdict?.wouldReply ? 'yes' : 'no'}`}>
          {verdict && (verdict.wouldReply ? 'Would reply' : 'Would not reply')}
        </p>
        <p aria-live="polite">{verdict?.reason}</p>
      </div>
    </section>
  );
}
