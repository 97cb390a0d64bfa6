import { useGet } from '../../frame/data.tsx';
import { useDebounced } from '../../frame/debounced.ts';
import { client } from '../../service.ts';
import { Failure } from '../../ui/states.tsx';
import { type Edited, keywordsOf } from './editor.ts';

/**
 * Shows conflicts while a person types: keywords of other campaigns, and keywords that never match.
 */
export function Conflicts({
  edited,
  campaignId,
}: {
  readonly edited: Edited;
  readonly campaignId?: string | undefined;
}) {
  const text = useDebounced(JSON.stringify(keywordsOf(edited)));
  const checked = useGet(
    ['campaigns', 'validation', campaignId, text],
    (organizationId, options) =>
      client.campaigns.validateKeywords(
        { organizationId, keywords: JSON.parse(text), ...(campaignId && { campaignId }) },
        options,
      ),
    { enabled: text !== '[]' },
  );
  if (checked.error) {
    return <Failure error={checked.error} onRetry={() => checked.refetch()} />;
  }
  const { conflicts = [], suggestions = [] } = checked.data?.validation ?? {};

  return (
    <>
      {conflicts.length > 0 && (
        <div class="failure" role="alert">
          <ul>
            {conflicts.map(({ keyword, conflictingCampaign }) => (
              <li key={keyword}>
                {conflictingCampaign
                  ? `The campaign “${conflictingCampaign.name}” already uses “${keyword}”.`
                  : `“${keyword}” is listed twice.`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {suggestions.map(({ keyword, suggestion, type }) => (
        <p key={`${keyword} ${type}`} class="hint">
          “{keyword}”: {suggestion}
        </p>
      ))}
    </>
  );
}
