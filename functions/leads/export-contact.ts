import { exportContact } from '#lib/features/leads/erasure/export-contact.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.exportContact,
  async ({ organizationId, params, caller }) => {
    const { contact_id: contactId } = params;
    const { json, url } = await exportContact(organizationId, contactId, caller.userId);
    if (json === undefined) {
      return { statusCode: 303, headers: { location: url }, body: '' };
    }

    return {
      statusCode: 200,
      headers: {
        'content-type': contracts.exportContact.contentType,
        'content-disposition': `attachment; filename="contact-${contactId}.json"`,
      },
      body: json,
    };
  },
);
