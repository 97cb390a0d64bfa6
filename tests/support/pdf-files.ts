import { deflateSync } from 'node:zlib';

/** Returns a PDF with one line of text per page. */
export function pdf(...lines: readonly string[]): Buffer {
  return pdfOf(lines.map((line) => plain(`BT /F1 12 Tf 20 100 Td (${line}) Tj ET`)));
}

/** Returns a PDF of one page whose content is compressed twice. */
export function compressedPdf(content: Buffer): Buffer {
  const bytes = deflateSync(deflateSync(content));

  return pdfOf([{ filters: '/Filter [/FlateDecode /FlateDecode]', bytes }]);
}

type Stream = { readonly filters: string; readonly bytes: Buffer };

function plain(content: string): Stream {
  return { filters: '', bytes: Buffer.from(content, 'latin1') };
}

/** Returns a PDF with one page for each stream of content. */
function pdfOf(contents: readonly Stream[]): Buffer {
  const kids = contents.map((_, page) => `${4 + page * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${contents.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap(({ filters, bytes }, page) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents ${5 + page * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${bytes.length} ${filters} >>\nstream\n${bytes.toString('latin1')}\nendstream`,
    ]),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;

    return String(offset).padStart(10, '0');
  });
  const table = ['0000000000 65535 f ', ...offsets.map((offset) => `${offset} 00000 n `)];
  const size = objects.length + 1;

  return Buffer.from(
    `${file}xref\n0 ${size}\n${table.join('\n')}\ntrailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`,
    'latin1',
  );
}
