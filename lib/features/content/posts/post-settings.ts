import { describeIssues } from '#lib/platform/http/validation.ts';
import { mediaId } from '#schemas/media.ts';
import type { Platform } from '#schemas/platforms.ts';
import { type PostSettings, postSettings } from '#schemas/post-settings.ts';

type Given = Readonly<Record<string, unknown>> | null | undefined;

export type ReadSettings = {
  readonly settings?: PostSettings;
  /** Each starts with the field name. */
  readonly problems: readonly string[];
};

/** Parses the settings of a post on this platform. A setting that is null counts as absent. */
export function readSettings(platform: Platform, given: Given): ReadSettings {
  if (!given) {
    return { problems: [] };
  }
  const { data, error } = postSettings[platform].safeParse(given, { reportInput: true });
  if (!data) {
    return { problems: describeIssues(error.issues).map((problem) => `settings.${problem}`) };
  }
  const set = Object.entries(data).filter(([, value]) => value !== null && value !== undefined);

  return { settings: Object.fromEntries(set), problems: [] };
}

/** The fields that contain the id of a library image. No platform has more than one. */
export const coverFields = ['thumbnailMediaId', 'coverMediaId'] as const;

/** Returns the ids of library images in the settings, if they are valid. */
export function coverIdsOf(settings: Given): readonly string[] {
  return coverFields.flatMap((field) => mediaId.safeParse(settings?.[field]).data ?? []);
}
