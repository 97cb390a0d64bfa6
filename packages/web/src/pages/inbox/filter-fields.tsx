import { Failures, useGet } from '../../frame/data.tsx';
import { client } from '../../service.ts';
import { channelNames, networkNames } from '../../ui/networks.ts';
import { useFilters } from './filters.ts';
import { useMembers } from './members.ts';
import { statusNames } from './words.ts';

/** The less common filters. Their options load when the filters are shown. */
export function FilterFields() {
  const { members, query } = useMembers();
  const accounts = useGet(['accounts'], (organizationId, options) =>
    client.social.listAccounts({ organizationId }, options),
  );
  const campaigns = useGet(['campaigns', 'names'], (organizationId, options) =>
    client.campaigns.list({ organizationId, limit: 100 }, options),
  );

  return (
    <div class="filter-fields">
      <Failures of={[query, accounts, campaigns]} />
      <Choice name="status" label="Status" options={Object.entries(statusNames)} />
      <Choice name="channel" label="Kind" options={Object.entries(channelNames)} />
      <Choice
        name="controller"
        label="Answered by"
        options={[
          ['BOT', 'Agent'],
          ['HUMAN', 'People'],
        ]}
      />
      <Choice
        name="assignedToId"
        label="Taken care of by"
        options={[['none', 'Nobody'], ...members.map(({ id, name }) => [id, name] as const)]}
      />
      <Choice
        name="socialAccountId"
        label="Account"
        options={(accounts.data?.socialAccounts ?? []).map(({ id, platform, platformUserName }) => [
          id,
          `${platformUserName} (${networkNames[platform]})`,
        ])}
      />
      <Choice
        name="campaignId"
        label="Campaign"
        options={(campaigns.data?.campaigns ?? []).map(({ id, name }) => [id, name])}
      />
    </div>
  );
}

function Choice({
  name,
  label,
  options,
}: {
  readonly name:
    | 'status'
    | 'channel'
    | 'controller'
    | 'assignedToId'
    | 'socialAccountId'
    | 'campaignId';
  readonly label: string;
  readonly options: ReadonlyArray<readonly [string, string]>;
}) {
  const { filters, set } = useFilters();
  const id = `filter-${name}`;

  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}>
        <option value="">Any</option>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={filters[name] === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
