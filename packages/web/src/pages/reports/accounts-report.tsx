import { Link } from 'wouter-preact';
import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useAccounts } from '../../frame/shared-data.ts';
import { client } from '../../service.ts';
import { SelectFilter, useFilters } from '../../ui/filters.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Region } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';
import { DayChart } from './charts.tsx';
import { addDays, daysBetween, type Range } from './range.tsx';
import { Figures, Report } from './report.tsx';

/** The longest range that the API accepts for accounts. */
const mostDays = 90;

export function AccountsReport({ range }: { readonly range: Range }) {
  const accounts = useAccounts();
  const chosen = useFilters().filter('account');
  const isCut = daysBetween(range) > mostDays;
  const days = isCut ? { ...range, from: addDays(range.to, 1 - mostDays) } : range;

  return (
    <Region
      title="Accounts"
      about={`Followers and engagement of an account, from daily snapshots.${isCut ? ` The last ${mostDays} days of the range.` : ''}`}
    >
      <Loaded of={accounts}>
        {({ socialAccounts }) => {
          const [first] = socialAccounts;
          if (!first) {
            return (
              <Empty title="No accounts yet">
                <Link href="/social/accounts">Connect an account</Link>
              </Empty>
            );
          }
          const account = socialAccounts.find(({ id }) => id === chosen) ?? first;

          return (
            <>
              {socialAccounts.length > 1 && (
                <div class="toolbar">
                  <SelectFilter
                    name="account"
                    label="Account"
                    initial={first.id}
                    options={Object.fromEntries(
                      socialAccounts.map(({ id, platform, platformUserName }) => [
                        id,
                        `${platformUserName} (${networkNames[platform]})`,
                      ]),
                    )}
                  />
                </div>
              )}
              <Account key={account.id} accountId={account.id} range={days} />
            </>
          );
        }}
      </Loaded>
    </Region>
  );
}

function Account({ accountId, range }: { readonly accountId: string; readonly range: Range }) {
  const { day, number } = useFormats();
  const stats = useGet(['reports', 'account', accountId, range], (organizationId, options) =>
    client.social.getAccountStats({ organizationId, accountId, ...range }, options),
  );

  return (
    <Loaded of={stats}>
      {({ stats: { overview, engagement, growth, trends } }) => (
        <Report
          title="Account by day"
          file={`account-${range.from}-${range.to}`}
          rows={trends.toReversed()}
          empty={['No snapshots in this range', 'The first one is taken within a day.']}
          columns={[
            { name: 'Day', of: ({ date }) => date, show: ({ date }) => day(date), isText: true },
            {
              name: 'Followers',
              of: ({ followers }) => followers,
              show: ({ followers }) => number(followers),
            },
            {
              name: 'Engagement',
              of: ({ engagement: all }) => all,
              show: ({ engagement: all }) => number(all),
            },
            { name: 'Reach', of: ({ reach }) => reach, show: ({ reach }) => number(reach) },
          ]}
        >
          <Figures
            of={{
              Followers: number(overview.totalFollowers),
              'Follower growth': `${number(growth.followerGrowth)}%`,
              Engagement: number(overview.totalEngagement),
              'Engagement rate': `${number(engagement.averageEngagementRate)}%`,
              Reach: number(overview.totalReach),
            }}
          />
          <DayChart
            label="Followers"
            days={trends.map(({ date }) => date)}
            values={trends.map(({ followers }) => followers)}
            show={number}
          />
        </Report>
      )}
    </Loaded>
  );
}
