import { answerAppPage } from '#lib/features/app/answer-app-page.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getApp } from '#schemas/app.ts';

export const handler = endpoint(getApp, async ({ event }) => answerAppPage(event));
