import { answerAppPage } from '#lib/features/app/answer-app-page.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getAppPage } from '#schemas/app.ts';

export const handler = endpoint(getAppPage, async ({ event }) => answerAppPage(event));
