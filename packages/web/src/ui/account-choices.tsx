import type { SocialAccount } from '../service.ts';
import { Checkbox } from './form.tsx';
import { networkNames } from './networks.ts';
import { Failure } from './states.tsx';

/** Checkboxes of accounts. */
export function AccountChoices({
  accounts,
  chosen,
  onChange,
}: {
  readonly accounts: readonly SocialAccount[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  return (
    <fieldset class="account-choices">
      <legend>Accounts</legend>
      {accounts.length === 0 && (
        <Failure message="No account is connected. Connect one in Accounts first." />
      )}
      {accounts.map(({ id, platform, platformUserName }) => (
        <Checkbox
          key={id}
          name={`account-${id}`}
          label={platformUserName}
          hint={networkNames[platform]}
          checked={chosen.includes(id)}
          onChange={({ currentTarget }) =>
            onChange([
              ...chosen.filter((other) => other !== id),
              ...(currentTarget.checked ? [id] : []),
            ])
          }
        />
      ))}
    </fieldset>
  );
}
