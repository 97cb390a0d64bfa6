import { createKeywordMatcher } from '#lib/features/campaigns/keyword-matcher.ts';
import { matchTypes } from '#schemas/campaigns.ts';
import type { Section } from '../section.ts';
import { median, quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';

const keywordCount = 10_000;
const perCampaign = 40;
const targetMs = 5;
const warmUpRounds = 100;
const measuredRounds = 500;

const words = ['price', 'offer', 'sale', 'engine', 'discount', 'delivery', '价格', 'ราคา', 'цена'];

/** The keywords of an organization with 250 campaigns of 40 keywords each. */
function manyKeywords() {
  return Array.from({ length: keywordCount }, (_, index) => ({
    keyword: `${words[index % words.length]} ${index}`,
    matchType: matchTypes[index % matchTypes.length] ?? 'CONTAINS',
    priority: (index % 5) + 1,
    campaignId: String(Math.floor(index / perCampaign)).padStart(8, '0'),
  }));
}

const sentence = 'Hello, what is the price 1 of your engine 1003, and when is the next sale 2?';

const messages = [
  { name: 'a comment of 76 characters', text: sentence },
  { name: 'a message of 1,000 characters', text: sentence.repeat(14).slice(0, 1_000) },
  { name: '1,000 characters in Chinese', text: '请问价格1是多少'.repeat(125) },
];

type Row = { readonly name: string; readonly medianMs: number; readonly p95Ms: number };

/** Measures how long it takes to match a message against all keywords of a large organization. */
export function reportKeywords(): Section {
  const startedAtMs = performance.now();
  const { match } = createKeywordMatcher(manyKeywords());
  const buildMs = performance.now() - startedAtMs;
  const rows = messages.map(({ name, text }) => timeMatches(name, () => match(text)));
  const slow = rows.filter(({ medianMs }) => medianMs >= targetMs);

  return {
    title: `Keywords: matching one message against ${keywordCount.toLocaleString('en')}`,
    text: `${formatRows(rows)}\n\nBuilding the matcher, once per change: ${buildMs.toFixed(0)} ms; target per message: under ${targetMs} ms`,
    misses: slow.map(({ name, medianMs }) => `${name} takes ${medianMs.toFixed(2)} ms`),
    metrics: {},
  };
}

function timeMatches(name: string, match: () => unknown): Row {
  const timeOneMs = () => {
    const startedAtMs = performance.now();
    match();

    return performance.now() - startedAtMs;
  };
  for (let round = 0; round < warmUpRounds; round += 1) {
    timeOneMs();
  }
  const times = Array.from({ length: measuredRounds }, timeOneMs);

  return { name, medianMs: median(times), p95Ms: quantile(times, 0.95) };
}

function formatRows(rows: readonly Row[]): string {
  return formatTable(rows, [
    { title: 'message', value: ({ name }) => name },
    { title: 'median ms', value: ({ medianMs }) => medianMs.toFixed(3) },
    { title: 'p95 ms', value: ({ p95Ms }) => p95Ms.toFixed(3) },
  ]);
}
