import { answerAppPage } from '#lib/features/app/answer-app-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { getAppPage } from '#schemas/app.ts';

export const handler = publicEndpoint(getAppPage, async ({ event }) => answerAppPage(event));
