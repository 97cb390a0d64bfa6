import { create } from 'qrcode';

/** Width of the margin that scanners require, in modules. */
const quietZone = 4;

/** Renders a QR code as SVG, dark on light in every color scheme. */
export function qrCodeSvg(text: string): string {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const side = modules.size + 2 * quietZone;
  const path = Array.from({ length: modules.size }, (_, row) => rowPath(modules, row)).join('');

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side * 8}" height="${side * 8}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>\n`;
}

type Modules = { readonly size: number; readonly get: (row: number, column: number) => number };

/** Draws one rectangle per run of dark modules. */
function rowPath(modules: Modules, row: number): string {
  let path = '';
  for (let column = 0; column < modules.size; column += 1) {
    const start = column;
    while (column < modules.size && modules.get(row, column)) {
      column += 1;
    }
    if (column > start) {
      path += `M${start + quietZone} ${row + quietZone}h${column - start}v1h-${column - start}z`;
    }
  }

  return path;
}
