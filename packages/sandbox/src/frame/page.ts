import { pageAnswer } from './document.ts';
import { faultModes } from './faults.ts';
import type { Frame } from './frame.ts';
import { type Html, html, table, time } from './html.ts';
import { pageScript } from './page-script.ts';
import type { LoggedRequest } from './request-log.ts';
import type { PageSection, SandboxAnswer } from './service.ts';

const shownCalls = 100;
const shownBodyLength = 4_000;

/** The web page that shows what happened in the sandbox and has a form to add faults. */
export function renderPage(frame: Frame): SandboxAnswer {
  const sections = [
    ...frame.services.flatMap((service) => service.sections()),
    callsSection(frame),
    faultsSection(frame),
  ];

  return pageAnswer({ title: 'Sandbox', body: bodyWith(sections), script: pageScript });
}

function bodyWith(sections: readonly PageSection[]): Html {
  return html`<header>
<h1>Sandbox</h1>
<p>Local stand-ins for every external service: see what they received and make them fail.</p>
<nav aria-label="Sections"><ul>${sections.map(
    (section) => html`<li><a href="#${section.id}">${section.title}</a></li>`,
  )}</ul></nav>
<p class="actions"><a href="/_sandbox">Reload</a> <button type="button" id="reset">Reset everything</button></p>
<p id="outcome" role="status"></p>
</header>
<main id="main" tabindex="-1">
${sections.map(
  (section) => html`<section id="${section.id}" aria-labelledby="${section.id}-title">
<h2 id="${section.id}-title">${section.title}</h2>
${section.content}
</section>
`,
)}</main>`;
}

function bodyOf(call: LoggedRequest): Html {
  if (call.body === '') {
    return html``;
  }

  return html`<details><summary>Body</summary><pre>${call.body.slice(0, shownBodyLength)}</pre></details>`;
}

function callsSection(frame: Frame): PageSection {
  const secretive = new Set(
    frame.services.filter((one) => one.hasSecretBodies === true).map((one) => one.name),
  );
  const calls = frame.log.list({ limit: shownCalls }).toReversed();
  const rows = calls.map((call) => [
    time(new Date(call.at)),
    call.service,
    html`<code>${call.method} ${call.path}</code>${call.unexpected ? html` <strong class="bad">unexpected</strong>` : null}`,
    call.status ?? 'no response',
    secretive.has(call.service) ? 'hidden' : bodyOf(call),
  ]);

  return {
    id: 'calls',
    title: 'Requests received',
    content: table(
      `The latest ${shownCalls} requests, newest first`,
      ['Time (UTC)', 'Service', 'Request', 'Status', 'Body'],
      rows,
      'No calls yet.',
    ),
  };
}

function faultsSection(frame: Frame): PageSection {
  const rows = frame.faults
    .list()
    .map((fault) => [
      fault.service,
      fault.mode,
      html`<code>${fault.method ?? 'any method,'} ${fault.path ?? 'any path'}</code>`,
      fault.remaining ?? 'until ended',
      html`<button type="button" data-end-fault="${fault.id}">End<span class="hidden"> the ${fault.mode} fault of ${fault.service}</span></button>`,
    ]);
  const list = table(
    'Active faults',
    ['Service', 'Mode', 'Calls', 'Times left', 'Action'],
    rows,
    'No active faults.',
  );

  return { id: 'faults', title: 'Faults', content: html`${list}${faultForm(frame)}` };
}

function faultForm(frame: Frame): Html {
  return html`<form id="add-fault" aria-labelledby="add-fault-title">
<h3 id="add-fault-title">Add a fault</h3>
<div class="fields">
<label>Service <select name="service" required>${frame.services.map(
    ({ name }) => html`<option>${name}</option>`,
  )}</select></label>
<label>Mode <select name="mode" required>${faultModes.map(
    (mode) => html`<option>${mode}</option>`,
  )}</select></label>
<label>Method (optional) <input name="method" autocomplete="off" placeholder="POST"></label>
<label>Path regex (optional) <input name="path" autocomplete="off" placeholder="^/v1/customers"></label>
<label>Status (for error) <input name="status" type="number" min="200" max="599"></label>
<label>Delay in ms (for slow) <input name="delayMs" type="number" min="0"></label>
<label>Times (optional) <input name="times" type="number" min="1"></label>
<label class="wide">Body (for error) <textarea name="body" rows="2"></textarea></label>
</div>
<button type="submit">Add fault</button>
</form>`;
}
