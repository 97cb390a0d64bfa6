/** Colors are defined by role, so that each color scheme is one list. */
export const statusPageStyle = `:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--line:#dfe3e8;--ink:#1b2430;--soft:#566272;--ok:#176b3a;--warn:#8a5300;--bad:#b3261e;--info:#1f5fa8}
@media (prefers-color-scheme:dark){:root{--ground:#12161b;--card:#1b2129;--line:#303944;--ink:#edf1f5;--soft:#a6b2bf;--ok:#6fd598;--warn:#f0b455;--bad:#ff9a92;--info:#8fc1ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:44rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{margin:0;font-size:1.15rem;font-weight:600;color:var(--soft)}
h2{margin:2.5rem 0 .75rem;font-size:1.05rem}
h3{margin:0;font-size:1rem}
p{margin:.25rem 0}
.now{margin:1rem 0 0;padding:1.1rem 1.25rem;background:var(--card);border:1px solid var(--line);border-left:.4rem solid currentColor;border-radius:.6rem;font-size:1.35rem;font-weight:650}
ul{margin:0;padding:0;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
li{padding:.8rem 1.25rem}
li+li{border-top:1px solid var(--line)}
.part{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.state{font-weight:600;white-space:nowrap}
.state::before{content:"";display:inline-block;width:.6rem;height:.6rem;margin-right:.5rem;border-radius:50%;background:currentColor}
.ok{color:var(--ok)}.warn{color:var(--warn)}.bad{color:var(--bad)}.info{color:var(--info)}
.soft{color:var(--soft);font-size:.9rem}
.updates{margin-top:.5rem;padding-left:.9rem;border:0;border-left:2px solid var(--line);border-radius:0}
.updates li{padding:.25rem 0;border:0}
footer{margin-top:2.5rem}`;
