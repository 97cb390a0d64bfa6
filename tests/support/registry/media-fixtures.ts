import { storeMedia, storeUpload } from '#tests/support/media.ts';
import type { Fixtures } from './fixture.ts';

const aMedium: Fixtures[string] = {
  params: async ({ organizationId, names }) => ({
    media_id: (await storeMedia(organizationId, { fileName: names[0] ?? '' })).id,
  }),
};

export const mediaFixtures: Fixtures = {
  completeMediaUpload: {
    params: async ({ organizationId }) => ({ media_id: (await storeUpload(organizationId)).id }),
  },
  getMedia: aMedium,
  updateMedia: aMedium,
  deleteMedia: aMedium,
};
