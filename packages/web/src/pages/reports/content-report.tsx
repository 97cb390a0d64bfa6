import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client } from '../../service.ts';
import { networkNames } from '../../ui/networks.ts';
import { Region } from '../../ui/section.tsx';
import { BarChart, DayChart } from './charts.tsx';
import { daysOf, type Range } from './range.tsx';
import { Figures, Report } from './report.tsx';

export function ContentReport({ range }: { readonly range: Range }) {
  const { number } = useFormats();
  const content = useGet(['reports', 'content', range], (organizationId, options) =>
    client.content.getAnalytics({ organizationId, ...range }, options),
  );

  return (
    <Region
      title="Content"
      about="Posts that were published in the range, by their latest numbers."
    >
      <Loaded of={content}>
        {({ analytics: { overview, platforms, topPerformingPosts, engagementTrends } }) => (
          <>
            {overview.totalPosts > 0 && (
              <Figures
                of={{
                  Posts: number(overview.totalPosts),
                  Engagement: number(overview.totalEngagement),
                  Reach: number(overview.totalReach),
                  Clicks: number(overview.totalClicks),
                  'Engagement rate': `${number(overview.averageEngagementRate)}%`,
                }}
              />
            )}
            <Trend range={range} trend={engagementTrends} />
            {overview.totalPosts > 0 && (
              <>
                <h3>Networks</h3>
                <Parts
                  title="Content by network"
                  first="Network"
                  rows={platforms.map(({ platform, ...rest }) => ({
                    name: networkNames[platform],
                    ...rest,
                  }))}
                />
                <h3>Best posts</h3>
                <Parts
                  title="Best posts"
                  first="Post"
                  rows={topPerformingPosts.map(({ content: text, ...rest }) => ({
                    name: text || 'Post without text',
                    ...rest,
                  }))}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Region>
  );
}

type Day = { readonly date: string; readonly engagement: number; readonly reach: number };

function Trend({ range, trend }: { readonly range: Range; readonly trend: readonly Day[] }) {
  const { day, number } = useFormats();
  const byDay = new Map(trend.map((one) => [one.date, one]));
  const rows =
    trend.length === 0
      ? []
      : daysOf(range).map((date) => byDay.get(date) ?? { date, engagement: 0, reach: 0 });

  return (
    <Report
      title="Engagement by day"
      file={`content-${range.from}-${range.to}`}
      rows={rows.toReversed()}
      empty={['No posts in this range', 'Published posts appear with their engagement and reach.']}
      columns={[
        {
          name: 'Published on',
          of: ({ date }) => date,
          show: ({ date }) => day(date),
          isText: true,
        },
        {
          name: 'Engagement',
          of: ({ engagement }) => engagement,
          show: ({ engagement }) => number(engagement),
        },
        { name: 'Reach', of: ({ reach }) => reach, show: ({ reach }) => number(reach) },
      ]}
    >
      <DayChart
        label="Engagement of posts"
        days={rows.map(({ date }) => date)}
        values={rows.map(({ engagement }) => engagement)}
        show={number}
      />
    </Report>
  );
}

type Part = {
  readonly name: string;
  readonly engagement: number;
  readonly reach: number;
  readonly clicks: number;
};

function Parts({
  title,
  first,
  rows,
}: {
  readonly title: string;
  readonly first: string;
  readonly rows: readonly Part[];
}) {
  const { number } = useFormats();
  const amount = (name: string, of: (row: Part) => number) => ({
    name,
    of,
    show: (row: Part) => number(of(row)),
  });

  return (
    <Report
      title={title}
      file={title.toLowerCase().replaceAll(' ', '-')}
      rows={rows}
      empty={['No posts', 'No posts were published.']}
      columns={[
        { name: first, of: ({ name }) => name, show: ({ name }) => name, isText: true },
        amount('Engagement', ({ engagement }) => engagement),
        amount('Reach', ({ reach }) => reach),
        amount('Clicks', ({ clicks }) => clicks),
      ]}
    >
      <BarChart
        label={`Engagement: ${title}`}
        bars={rows.map(({ name, engagement }) => ({ name, value: engagement }))}
        show={number}
      />
    </Report>
  );
}
