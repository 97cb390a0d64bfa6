import { orNull, queryDate, total } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import { platform } from './platforms.ts';
import * as z from './zod.ts';

const parts = ['post', 'campaign', 'keyword', 'network', 'link'] as const;
export type AttributionPart = (typeof parts)[number];

export const attribution = z
  .object({
    network: platform,
    postId: orNull(z.string().meta({ example: null })),
    campaignId: orNull(z.string().meta({ example: null })),
    keyword: orNull(z.string().meta({ example: 'price' })),
    link: orNull(z.string().meta({ example: 'https://example.com/engines' })).meta({
      description: 'Target of the first personal link that the customer followed',
    }),
  })
  .meta({ id: 'Attribution', description: 'What led to it' });

const amount = z.int().meta({ example: 1 });

export const getAttribution = contract({
  operationId: 'getAttribution',
  path: '/leads/{organization_id}/attribution',
  summary: 'Trace leads and sales back to posts, campaigns, keywords, networks or links',
  tool: true,
  description:
    'Counts clicks on personal links on the day of the click, conversations on the day a keyword matched, and leads on the day they were created. `converted` and `valueCents` count only leads that are converted now. Days are in UTC. Default: the last 30 days; ranges can be up to 366 days. `name` is null if the post or campaign was deleted. The most valuable rows come first.',
  access: memberOfPath('VIEWER'),
  query: z.object({
    by: z.enum(parts).meta({ example: 'post' }),
    from: queryDate.optional(),
    to: queryDate.optional(),
  }),
  response: z.object({
    rows: z.array(
      z.object({
        key: z.string().meta({ example: 'price', description: 'An id, keyword, network or URL' }),
        name: orNull(z.string().meta({ example: 'price' })),
        clicks: amount,
        conversations: amount,
        leads: amount,
        converted: amount,
        valueCents: z.int().meta({ example: 50_000 }),
      }),
    ),
    total,
  }),
  message: 'Attribution retrieved successfully',
});
