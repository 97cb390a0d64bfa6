import { hueOf, pageStyle } from '#lib/features/bio/bio-page-style.ts';

/** Extends the style of the public pages. With 16-pixel text, phones don't zoom in. */
const ownStyle = `
:root{--wrong:oklch(.48 .18 27)}
@media(prefers-color-scheme:dark){:root{--wrong:oklch(.82 .11 27)}}
.panel{padding:clamp(1.125rem,5vw,1.875rem);border:1px solid var(--line);border-radius:1.375rem;background:var(--card);box-shadow:var(--shade)}
.panel>*+*,form>*+*{margin-top:1.25rem}
.field label,.field .label{display:block;margin-bottom:.375rem;font-weight:600}
.field .soft{font-weight:400;color:var(--soft)}
.field input,.field textarea,.field select{display:block;width:100%;min-width:0;min-height:3rem;padding:.625rem .875rem;border:1px solid var(--soft);border-radius:.75rem;font:inherit;color:var(--ink);background:var(--page)}
.field textarea{min-height:8rem;resize:vertical}
.field .box{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:start;min-height:1.75rem;margin:0;font-weight:400;white-space:pre-line;cursor:pointer}
.field .box input{width:1.5rem;height:1.5rem;min-height:0;margin:0;accent-color:var(--deep)}
.field.bad{padding-left:.875rem;border-left:.25rem solid var(--wrong)}
.problem{margin-bottom:.375rem;font-weight:600;color:var(--wrong)}
.button{display:block;width:100%;min-height:3rem;padding:.75rem 1.25rem;border:0;border-radius:99rem;font:inherit;font-weight:650;color:var(--on);background:var(--deep);cursor:pointer}
.button:hover{background:var(--deep2)}
.button:focus-visible,.alert:focus-visible,.alert a:focus-visible,input:focus-visible,textarea:focus-visible,select:focus-visible{outline:3px solid var(--deep);outline-offset:3px}
.alert{padding:1rem;border:.125rem solid var(--wrong);border-radius:.75rem;background:var(--page)}
.alert h2{font-size:1.0625rem;font-weight:650}
.alert ul{list-style:disc;margin-top:.5rem;padding-left:1.25rem;gap:.25rem}
.alert a{display:inline-block;padding:.25rem 0;color:var(--wrong);font-weight:600;text-underline-offset:.2em}
.thanks{white-space:pre-line;text-align:center}
.aside{position:absolute;left:-200rem;width:1px;height:1px;overflow:hidden}
@media(forced-colors:active){.panel,.button{border:1px solid}}`;

/** Returns the CSS of a form's page, in the color of its organization. */
export function formPageStyle(organizationId: string): string {
  return `${pageStyle(hueOf(organizationId))}${ownStyle}`;
}
