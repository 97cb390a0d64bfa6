import type { Item } from '#tests/support/table.ts';

/** Values that differ between worlds, by their kind. */
const passing: ReadonlyArray<readonly [RegExp, string]> = [
  // First, because these could contain any of the following by chance.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<access token>'],
  [/(?<="|#)m_[\w-]+/g, '<message>'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>'],
  // Parts of ids and generated names. Some consist only of digits.
  [/(?<="words":\[[^\]]*")(name)?[0-9a-f]{4,12}(?=")/g, '<word>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/Name[0-9a-f]{8}/g, '<name>'],
  [/(ada-<id>|charles[0-9a-f]{32})@example\.com/g, '<email>'],
  [/cus_\w+/g, '<customer>'],
  [/(?<=["#])(pi|pm|sub|price|evt|in)_[A-Za-z\d]{16,}/g, '<$1>'],
  [/(#NETWORK_MESSAGE#[^"#]+#)[^"]+/g, '$1<message>'],
  [/\b(token=|state=|\/connect\/|\/sign-in\/)[\w-]{43}/g, '$1<token>'],
  [
    /\b(USER_TOKEN|INVITATION_TOKEN|OAUTH_STATE|CONNECT_LINK_TOKEN|SIGN_IN_LINK)#[\w-]{43}/g,
    '$1#<hash>',
  ],
  [/\bCONNECTING#[\w-]{43}/g, 'CONNECTING#<hash>'],
  [/\b(API_KEY|RECOVERY_CODE)#[\w-]{43}/g, '$1#<hash>'],
  [/\bsl_[\w-]{5,43}/g, '<key>'],
  [/\$2[aby]\$[^"]+/g, '<hash>'],
  [
    /"(writeId|tokenHash|linkTokenHash|stateHash|keyHash|payload|ipAddress|platformUserId|networkMessageId|platformPostId|shortCode|formCode|shortUrl|reportUrl|clientSecret|webhookSecret|ticket|accessToken|commonText)":"[^"]+"/g,
    '"$1":"<opaque>"',
  ],
  [/"(\w+Seconds|attempts)":\d+/g, '"$1":"<seconds>"'],
  [/"created":\d{10}\b/g, '"created":"<seconds>"'],
  [/"(ms|stayMs_<id>|convertMs|responseMs)":\d+/g, '"$1":"<ms>"'],
  // The time of a message. For a lead, the rank is its value.
  [/"rank":\d{13}\b/g, '"rank":"<ms>"'],
  [/(system_\w+) [\d.]+/g, '$1 <number>'],
  [/v1\.\w+\.[\w-]{38,}/g, '<sealed>'],
  [/"duePk":"(\w+)#\d+"/g, '"duePk":"$1"'],
  [/\b[0-9a-f]{32}\b/g, '<code>'],
  [/(?<=["#_/])\d{11,}(_\d+)?(?!\d)/g, '<platform user>'],
  [/(?<=["#/])UC\d{11,}[xy]/g, '<channel>'],
  [/(?<="EVENT#[A-Z]+#)[^"]+/g, '<event>'],
  [/#(EVENTS|INBOUND_TEXTS)#\d/g, '#$1'],
  [/\b(SHORT|FORM_CODE)#\w+/g, '$1#<code>'],
  // The hash of ids, see `attribution-counters.ts`.
  [/(#ATTRIBUTION#\w+ \d{4}-\d\d-\d\d)#[\w-]{16}#/g, '$1#<hash>#'],
  [/\b(OPT_OUT#<id>)#[\w-]{43}/g, '$1#<hash>'],
  [/\bperson-of-\d+/g, 'person-of-<platform user>'],
  [/("list":"\w+#)\d/g, '$1<shard>'],
  [/(UNIQUE#POST_KEYWORD)#[\w-]{43}/g, '$1#<hash>'],
  [/(#BIO_REFERRERS","sk":"[^"]+#)\d\d#/g, '$1<shard>#'],
  [/(#(?:CONTACT|CONVERSATION)_WORDS)#\d\d","sk":"[^"#]+#/g, '$1","sk":"<word>#'],
];

/** Returns true if the item is one shard of a counter. The sort key ends with the shard number. */
export function isCounter({ pk, sk }: Pick<Item, 'pk' | 'sk'>): boolean {
  const name =
    /#(ORGANIZATION_COUNTS|CONTACT_COUNTS|CONVERSATION_COUNTS|POST_COUNTS|LEAD_COUNTS|LEAD_FACET#\w+|LEAD_TAG_COUNTS|ATTRIBUTION#\w+|FORM_COUNTS|BIO_CLICKS|BIO_DAYS)$/;

  return name.test(pk) || /#COUNT#[\d-]+#\d\d$/.test(sk);
}

/**
 * Sums the shards of each counter, because ids are assigned to different shards in each world.
 * Amounts that were added and subtracted again are no difference.
 */
function sumOfShards(counters: readonly Item[]): readonly object[] {
  const byName = Map.groupBy(counters, ({ pk, sk }) => `${pk} ${sk.replace(/\d\d$/, '')}`);

  const counted = [...byName].map(([name, shards]) => {
    const sums: Record<string, number> = {};
    for (const [attribute, amount] of shards.flatMap((shard) => Object.entries(shard))) {
      sums[attribute] = (sums[attribute] ?? 0) + (typeof amount === 'number' ? amount : 0);
    }

    return { name, sums };
  });

  return counted.filter(({ sums }) => Object.values(sums).some((sum) => sum !== 0));
}

/**
 * Returns the items without values that differ between worlds, so that two worlds can be compared.
 */
export function shapesOf(items: readonly Item[]): readonly string[] {
  const shown = [
    ...items.filter((item) => !isCounter(item)),
    ...sumOfShards(items.filter(isCounter)),
  ];

  return shown.map(shapeOf).sort();
}

/** Returns text with sorted names and without values that differ between worlds. */
export function shapeOf(thing: object): string {
  return passing.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    JSON.stringify(thing, namesIn(thing)),
  );
}

/** Returns all attribute names, including nested ones, so that none is omitted. */
function namesIn(item: object): string[] {
  const names = new Set<string>();
  JSON.stringify(item, (name, value: unknown) => {
    names.add(name);

    return value;
  });

  return [...names].sort();
}
