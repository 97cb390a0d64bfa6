/** Extends the style of the public pages, whose colors have enough contrast in every hue. */
export const connectPageStyle = `
.panel{padding:clamp(1.125rem,5vw,1.875rem);border:1px solid var(--line);border-radius:1.375rem;background:var(--card);box-shadow:var(--shade)}
.panel>*+*,form>*+*{margin-top:1rem}
.panel .soft{font-size:.9375rem;color:var(--soft)}
h2{font-size:1.0625rem;font-weight:650}
.points{list-style:disc;padding-left:1.25rem;gap:.375rem}
.points li::marker{color:var(--deep)}
.panel a:not(.button){color:var(--deep);font-weight:600;text-underline-offset:.2em}
.button{display:block;width:100%;min-height:3rem;padding:.75rem 1.25rem;border:0;border-radius:99rem;font:inherit;font-weight:650;text-align:center;text-decoration:none;color:var(--on);background:var(--deep);cursor:pointer}
.button:hover{background:var(--deep2)}
.button:focus-visible,input:focus-visible{outline:3px solid var(--deep);outline-offset:3px}
fieldset{min-width:0;padding:0;border:0}
legend{padding:0;margin-bottom:.75rem;font-weight:650}
.choice{display:grid;grid-template-columns:auto 1fr;align-items:center;gap:.875rem;min-height:3.5rem;padding:.75rem .875rem;border:1px solid var(--line);border-radius:1rem;cursor:pointer}
.choice+.choice{margin-top:.625rem}
.choice:has(:checked){border-color:var(--deep);background:var(--tint)}
.choice:has(:disabled){cursor:default}
.choice:has(:disabled) .name{font-weight:500;color:var(--soft)}
.choice input{width:1.375rem;height:1.375rem;accent-color:var(--deep)}
.choice .about{margin-top:0}
.alert{padding:.875rem 1rem;border-left:.25rem solid var(--deep);border-radius:.5rem;background:var(--tint)}
.alert p+p{margin-top:.5rem}
@media(forced-colors:active){.panel,.choice,.button{border:1px solid}}`;
