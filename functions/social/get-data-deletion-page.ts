import { findDataDeletion } from '#lib/features/erasure/data-deletion/data-deletion.ts';
import { dataDeletionPage } from '#lib/features/erasure/data-deletion/data-deletion-page.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getDataDeletionPage } from '#schemas/social-webhooks.ts';

export const handler = endpoint(getDataDeletionPage, async ({ params }) =>
  dataDeletionPage(await findDataDeletion(params.code)),
);
