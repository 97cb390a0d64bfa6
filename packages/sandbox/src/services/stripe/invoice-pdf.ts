import type { Invoice } from './store.ts';

const escaped = (text: string) =>
  text.replaceAll(/[^\x20-\x7e]/g, ' ').replaceAll(/[\\()]/g, (character) => `\\${character}`);

const day = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** A one-page PDF with five objects and the cross-reference table of their offsets. */
export function invoicePdf(invoice: Invoice): string {
  const lines = [
    'Invoice',
    `Number: ${invoice.number}`,
    `Customer: ${invoice.customer}`,
    `Period: ${day(invoice.periodStart)} to ${day(invoice.periodEnd)}`,
    invoice.description.replaceAll('×', 'x'),
    `Total: ${(invoice.amount / 100).toFixed(2)} ${invoice.currency.toUpperCase()}`,
    `Status: ${invoice.status}`,
  ];
  const drawn = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
  const content = `BT\n/F1 14 Tf\n22 TL\n72 770 Td\n${drawn}\nET`;

  return documentOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

function documentOf(objects: readonly string[]): string {
  let text = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);

  return [
    text,
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`,
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  ].join('');
}
