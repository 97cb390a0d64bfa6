import { requireBioLink } from '#lib/features/bio/bio-links.ts';
import { shortUrlOf } from '#lib/features/short-links/short-codes.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { qrCodeSvg } from '#lib/platform/qr-code.ts';
import { getBioLinkQrCode } from '#schemas/bio.ts';

export const handler = endpoint(getBioLinkQrCode, async ({ organizationId, params }) => {
  const link = await requireBioLink(organizationId, params.link_id);

  return {
    statusCode: 200,
    headers: { 'content-type': 'image/svg+xml; charset=utf-8' },
    body: qrCodeSvg(shortUrlOf(link)),
  };
});
