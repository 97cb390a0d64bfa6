import type { ContentPost, Media, Platform, PostSettings, SocialAccount } from '../../service.ts';
import { wordsIn } from '../../ui/words.ts';
import { type Capabilities, problemsOf } from './limits.ts';
import schemas from './post-settings.json' with { type: 'json' };

/**
 * The form values of a network's settings, by field. An empty text stands for the network's
 * default.
 */
export type SettingsTexts = Readonly<Record<string, string>>;

/** A post of a thread after the first one. */
export type ThreadPart = { readonly text: string; readonly mediaIds: readonly string[] };

/** The composer's fields, which are also its draft. */
export type Composition = {
  readonly text: string;
  readonly accountIds: readonly string[];
  /** Texts that replace the common text, by account. */
  readonly ownTexts: Readonly<Record<string, string>>;
  readonly mediaIds: readonly string[];
  /** Media that replace the common ones, by account. */
  readonly ownMediaIds: Readonly<Record<string, readonly string[]>>;
  readonly firstComment: string;
  readonly thread: readonly ThreadPart[];
  readonly settings: Readonly<Partial<Record<Platform, SettingsTexts>>>;
  /** Separated by commas. */
  readonly tags: string;
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  /** In the organization's time zone. */
  readonly at: string;
};

export const newComposition: Composition = {
  text: '',
  accountIds: [],
  ownTexts: {},
  mediaIds: [],
  ownMediaIds: {},
  firstComment: '',
  thread: [],
  settings: {},
  tags: '',
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  at: '',
};

export type SettingSchema = {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
};

/** The settings of each network, from the OpenAPI document. */
export const settingSchemas: Readonly<Record<Platform, Readonly<Record<string, SettingSchema>>>> =
  schemas;

/** Returns the chosen settings, or undefined if there are none. */
export function settingsOf(
  platform: Platform,
  texts: SettingsTexts = {},
): PostSettings | undefined {
  const chosen = Object.entries(texts).filter(
    ([name, text]) => text.trim() !== '' && settingSchemas[platform][name],
  );

  return chosen.length === 0
    ? undefined
    : Object.fromEntries(
        chosen.map(([name, text]) => [name, settingOf(settingSchemas[platform][name], text)]),
      );
}

function settingOf(schema: SettingSchema | undefined, text: string): unknown {
  switch (schema?.type) {
    case 'boolean':
      return text === 'true';
    case 'number':
      return Number(text);
    case 'array':
      return wordsIn(text);
    default:
      return text.trim();
  }
}

/** The opposite of `settingsOf`. */
export function textsOf(settings: ContentPost['settings']): SettingsTexts {
  return Object.fromEntries(
    Object.entries(settings ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : String(value ?? ''),
    ]),
  );
}

/** The content of a post on one account. */
export type Target = {
  /** Of the account. */
  readonly name: string;
  readonly platform: Platform;
  readonly capabilities: Capabilities | undefined;
  readonly text: string;
  readonly media: readonly Media[];
  readonly firstComment: string;
  readonly thread: ReadonlyArray<ThreadPart & { readonly media: readonly Media[] }>;
  readonly settings: SettingsTexts;
};

type TargetOfAccount = Target & { readonly accountId: string };

/** Returns the media that are loaded. */
export type MediaOf = (mediaIds: readonly string[]) => readonly Media[];

/** Returns the content for each chosen account. */
export function targetsOf(
  composition: Composition,
  accounts: readonly SocialAccount[],
  capabilities: readonly Capabilities[],
  mediaOf: MediaOf,
): readonly TargetOfAccount[] {
  const { accountIds, text, ownTexts, firstComment, thread, settings } = composition;

  return accountIds.flatMap((accountId) => {
    const account = accounts.find(({ id }) => id === accountId);
    if (!account) {
      return [];
    }
    const { platform, platformUserName: name } = account;
    const known = capabilities.find((network) => network.platform === platform);
    const parts = known?.supports.thread ? thread : [];

    return [
      {
        accountId,
        name,
        platform,
        capabilities: known,
        text: ownTexts[accountId] || text,
        media: mediaOf(mediaIdsFor(composition, accountId)),
        firstComment: known?.supports.firstComment ? firstComment.trim() : '',
        thread: parts
          .filter((part) => part.text.trim() !== '')
          .map((part) => ({ ...part, media: mediaOf(part.mediaIds) })),
        settings: settings[platform] ?? {},
      },
    ];
  });
}

function mediaIdsFor({ mediaIds, ownMediaIds }: Composition, accountId: string) {
  const own = ownMediaIds[accountId] ?? [];

  return own.length > 0 ? own : mediaIds;
}

/** Returns the ids of all media of a composition. */
export function allMediaIds({ mediaIds, ownMediaIds, thread }: Composition): readonly string[] {
  return [
    ...mediaIds,
    ...Object.values(ownMediaIds).flat(),
    ...thread.flatMap((part) => part.mediaIds),
  ];
}

export function problemsOfTarget(target: Target): readonly string[] {
  const { platform, capabilities, text, media, firstComment, thread, settings } = target;
  if (!capabilities) {
    return [];
  }
  const isStory = settings.postType === 'STORY';

  return [
    ...problemsOf(platform, capabilities, { text, media, firstComment, isStory }),
    ...thread.flatMap((part) =>
      problemsOf(platform, capabilities, { ...part, firstComment: '', isStory: false }),
    ),
  ];
}

/** Returns the composition in the API's format, without its time. */
export function bodyOf(composition: Composition, targets: readonly TargetOfAccount[]) {
  const { text, mediaIds, tags, utmSource, utmMedium, utmCampaign } = composition;

  return {
    content: text,
    ...(mediaIds.length > 0 && { mediaIds }),
    ...(tags.trim() !== '' && { tags: wordsIn(tags) }),
    ...(utmSource.trim() && { utmSource }),
    ...(utmMedium.trim() && { utmMedium }),
    ...(utmCampaign.trim() && { utmCampaign }),
    targets: targets.map((target) => targetBodyOf(target, composition)),
  };
}

function targetBodyOf(
  { accountId, platform, text, firstComment, thread, settings }: TargetOfAccount,
  { text: common, ownMediaIds }: Composition,
) {
  const given = settingsOf(platform, settings);
  const mediaIds = ownMediaIds[accountId] ?? [];

  return {
    socialAccountId: accountId,
    ...(text === common ? {} : { content: text }),
    ...(mediaIds.length > 0 && { mediaIds }),
    ...(firstComment === '' ? {} : { firstComment }),
    ...(thread.length === 0
      ? {}
      : {
          thread: thread.map((part) => ({
            content: part.text,
            ...(part.mediaIds.length > 0 && { mediaIds: part.mediaIds }),
          })),
        }),
    ...(given && { settings: given }),
  };
}
