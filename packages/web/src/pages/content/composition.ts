import type { ContentPost, Media, Platform, PostSettings, SocialAccount } from '../../service.ts';
import { type Capabilities, problemsOf } from './limits.ts';
import schemas from './post-settings.json' with { type: 'json' };

/**
 * The form values of a network's settings, by field. An empty text stands for the network's
 * default.
 */
export type SettingsTexts = Readonly<Record<string, string>>;

/** The composer's fields, which are also its draft. */
export type Composition = {
  readonly text: string;
  readonly accountIds: readonly string[];
  /** Texts that replace the common text, by account. */
  readonly ownTexts: Readonly<Record<string, string>>;
  readonly mediaIds: readonly string[];
  readonly firstComment: string;
  readonly thread: readonly string[];
  readonly settings: Readonly<Partial<Record<Platform, SettingsTexts>>>;
  /** In the organization's time zone. */
  readonly at: string;
};

export const newComposition: Composition = {
  text: '',
  accountIds: [],
  ownTexts: {},
  mediaIds: [],
  firstComment: '',
  thread: [],
  settings: {},
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
      return text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
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
  readonly firstComment: string;
  readonly thread: readonly string[];
  readonly settings: SettingsTexts;
};

/** Returns the content for each chosen account. */
export function targetsOf(
  { accountIds, text, ownTexts, firstComment, thread, settings }: Composition,
  accounts: readonly SocialAccount[],
  capabilities: readonly Capabilities[],
): ReadonlyArray<Target & { readonly accountId: string }> {
  return accountIds.flatMap((accountId) => {
    const account = accounts.find(({ id }) => id === accountId);
    if (!account) {
      return [];
    }
    const { platform, platformUserName: name } = account;
    const known = capabilities.find((network) => network.platform === platform);

    return [
      {
        accountId,
        name,
        platform,
        capabilities: known,
        text: ownTexts[accountId] || text,
        firstComment: known?.supports.firstComment ? firstComment.trim() : '',
        thread: known?.supports.thread ? thread.filter((part) => part.trim() !== '') : [],
        settings: settings[platform] ?? {},
      },
    ];
  });
}

export function problemsOfTarget(
  { platform, capabilities, text, firstComment, thread, settings }: Target,
  media: readonly Media[],
): readonly string[] {
  if (!capabilities) {
    return [];
  }
  const isStory = settings.postType === 'STORY';

  return [
    ...problemsOf(platform, capabilities, { text, media, firstComment, isStory }),
    ...thread.flatMap((part) =>
      problemsOf(platform, capabilities, { text: part, media, firstComment: '', isStory: false }),
    ),
  ];
}

/** Returns the target in the API's format. */
export function bodyOf(
  {
    accountId,
    platform,
    text,
    firstComment,
    thread,
    settings,
  }: Target & { readonly accountId: string },
  common: string,
) {
  const given = settingsOf(platform, settings);

  return {
    socialAccountId: accountId,
    ...(text === common ? {} : { content: text }),
    ...(firstComment === '' ? {} : { firstComment }),
    ...(thread.length === 0 ? {} : { thread: thread.map((content) => ({ content })) }),
    ...(given && { settings: given }),
  };
}
