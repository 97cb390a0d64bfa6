import { answerAppPage } from '#lib/features/app/answer-app-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { getApp } from '#schemas/app.ts';

export const handler = publicEndpoint(getApp, async ({ event }) => answerAppPage(event));
