/** Returns a hue derived from the organization's id, so that each page has its own color. */
export function hueOf(organizationId: string): number {
  return Number.parseInt(organizationId.slice(-4), 16) % 360;
}

/**
 * Returns the CSS of the public pages. Lightness is fixed and only the hue varies, so contrast is
 * the same for every organization.
 */
export function pageStyle(hue: number): string {
  return `:root{color-scheme:light dark;--h:${hue};--page:oklch(.975 .012 var(--h));--glow:oklch(.89 .075 var(--h)/.75);--glow2:oklch(.92 .06 calc(var(--h) + 55)/.7);--card:oklch(1 0 0/.78);--line:oklch(.3 .05 var(--h)/.1);--ink:oklch(.24 .03 var(--h));--soft:oklch(.44 .03 var(--h));--deep:oklch(.45 .13 var(--h));--deep2:oklch(.46 .14 calc(var(--h) + 50));--on:#fff;--tint:oklch(.92 .05 var(--h));--shade:0 1px 2px oklch(.3 .05 var(--h)/.06),0 10px 28px -12px oklch(.3 .08 var(--h)/.22)}
@media(prefers-color-scheme:dark){:root{--page:oklch(.18 .02 var(--h));--glow:oklch(.38 .1 var(--h)/.55);--glow2:oklch(.34 .08 calc(var(--h) + 55)/.5);--card:oklch(.27 .025 var(--h)/.72);--line:oklch(.95 .03 var(--h)/.12);--ink:oklch(.965 .01 var(--h));--soft:oklch(.8 .025 var(--h));--deep:oklch(.84 .1 var(--h));--deep2:oklch(.82 .1 calc(var(--h) + 50));--on:oklch(.2 .04 var(--h));--tint:oklch(.38 .06 var(--h));--shade:0 12px 32px -14px #0009}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%}
body{min-height:100dvh;padding:clamp(2rem,6vh,5rem) 1rem 3.5rem;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:radial-gradient(60rem 34rem at 12% -8%,var(--glow),#0000 70%),radial-gradient(46rem 30rem at 105% 8%,var(--glow2),#0000 70%),var(--page);overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
main{max-width:35rem;margin-inline:auto}
header{text-align:center;margin-bottom:1.875rem}
.mark{display:grid;place-items:center;width:5.5rem;height:5.5rem;margin:0 auto 1.125rem;border-radius:50%;font-size:1.9rem;font-weight:650;letter-spacing:.02em;color:var(--on);background:linear-gradient(140deg,var(--deep),var(--deep2));box-shadow:0 0 0 5px var(--card),var(--shade)}
h1{font-size:clamp(1.6rem,6vw,2.1rem);line-height:1.2;letter-spacing:-.022em;font-weight:720;text-wrap:balance}
header p{max-width:30rem;margin:.6rem auto 0;color:var(--soft);text-wrap:pretty}
header a{display:inline-block;padding:.35rem .25rem;color:var(--deep);font-weight:600;text-underline-offset:.2em}
ul{list-style:none;padding:0;display:grid;gap:.875rem}
.card{display:grid;grid-template-columns:auto 1fr auto;align-items:center;gap:.25rem .9375rem;min-height:5.5rem;padding:.875rem 1.125rem .875rem .875rem;border:1px solid var(--line);border-radius:1.375rem;background:var(--card);box-shadow:var(--shade);color:inherit;text-decoration:none;transition:transform .18s ease,border-color .18s ease}
.card:hover{transform:translateY(-2px);border-color:var(--deep)}
.card:active{transform:scale(.99)}
a:focus-visible{outline:3px solid var(--deep);outline-offset:3px}
.tile{display:grid;place-items:center;width:3.75rem;height:3.75rem;border-radius:1rem;overflow:hidden;background:var(--tint);color:var(--deep);font-size:1.35rem;font-weight:650}
.tile img{display:block;width:100%;height:100%;object-fit:cover}
.name{display:block;font-weight:650;font-size:1.0625rem;line-height:1.35}
.about{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;margin-top:.15rem;font-size:.9375rem;line-height:1.45;color:var(--soft)}
.go{color:var(--deep);flex:none}
.pill{display:inline-block;margin-top:.625rem;padding:.4rem .95rem;border-radius:99rem;font-size:.9375rem;font-weight:620;line-height:1.4;color:var(--on);background:var(--deep)}
.note{text-align:center;color:var(--soft);margin-top:1.5rem}
.empty{padding:2.5rem 1.5rem;border:1px dashed var(--line);border-radius:1.375rem;text-align:center;color:var(--soft)}
.alone{display:grid;align-content:center;min-height:70dvh;text-align:center}
@media(prefers-reduced-motion:reduce){.card{transition:none}.card:hover,.card:active{transform:none}}
@media(forced-colors:active){.card,.pill{border:1px solid}}`;
}
