import { findDataDeletion } from '#lib/features/erasure/data-deletion/data-deletion.ts';
import { dataDeletionPage } from '#lib/features/erasure/data-deletion/data-deletion-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { getDataDeletionPage } from '#schemas/social-webhooks.ts';

export const handler = publicEndpoint(getDataDeletionPage, async ({ params }) =>
  dataDeletionPage(await findDataDeletion(params.code)),
);
