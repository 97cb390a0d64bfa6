import { timestamp } from '#lib/platform/clock.ts';
import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { htmlPage, pagePolicy } from '#lib/platform/html/page.ts';
import {
  type Dependency,
  dependencies,
  networkNames,
  type ServiceStatus,
  type SystemStatus,
} from '#schemas/health.ts';
import { type Checked, systemStatusOf } from './check-services.ts';
import type { Incident, IncidentStatus, listMaintenance } from './incidents.ts';
import { partNames } from './part-names.ts';
import { statusPageStyle } from './status-page-style.ts';

type Maintenance = Awaited<ReturnType<typeof listMaintenance>>[number];

const headlines = {
  healthy: ['ok', 'All systems operational'],
  degraded: ['warn', 'Some systems are degraded'],
  unhealthy: ['bad', 'Major outage'],
  maintenance: ['info', 'Under maintenance'],
} as const satisfies Record<SystemStatus, readonly [string, string]>;

const states = {
  operational: ['ok', 'Operational'],
  degraded: ['warn', 'Degraded'],
  outage: ['bad', 'Down'],
  maintenance: ['info', 'Under maintenance'],
} as const satisfies Record<ServiceStatus, readonly [string, string]>;

const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#176b3a"/></svg>')}`;

/** Renders the service status as one page, without scripts or external resources. */
export function renderStatusPage(
  checked: Checked,
  incidents: readonly Incident[],
  maintenance: readonly Maintenance[],
) {
  const [tone, headline] = headlines[systemStatusOf(checked)];
  const componentsSection = `<h2>Components</h2>
<ul role="list">${dependencies.map((name) => part(name, checked)).join('')}</ul>`;
  const incidentsSection = `<h2>Incidents</h2>
${listOf(incidents.map(incidentItem), 'No incidents in the last seven days.')}`;
  // Ongoing incidents come before the list of services.
  const isOpen = incidents.some(({ status }) => status !== 'resolved');
  const main = `<main>
<h1>Social Leads status</h1>
<p class="now ${tone}" role="status">${headline}</p>
${(isOpen ? [incidentsSection, componentsSection] : [componentsSection, incidentsSection]).join('\n')}
<h2>Maintenance</h2>
${listOf(maintenance.map(maintenanceItem), 'No maintenance is scheduled.')}
<footer class="soft"><p>Last checked at ${time(checked.results.database.lastChecked)}. Page loaded at ${time(timestamp())}. Reload the page to update.</p></footer>
</main>`;

  return {
    html: htmlPage({
      title: `${headline} · Social Leads`,
      head: `<meta name="robots" content="noindex">\n<link rel="icon" href="${icon}">\n`,
      style: statusPageStyle,
      main,
    }),
    policy: pagePolicy(statusPageStyle),
  };
}

function part(name: Dependency, checked: Checked): string {
  const [tone, state] = states[checked.results[name].status];
  const about = name === 'social' ? failingNetworks(checked) : '';

  return `<li><div class="part"><span>${partNames[name]}</span><span class="state ${tone}">${state}</span></div>${about}</li>`;
}

function failingNetworks({ results }: Checked): string {
  const failing = networkNames
    .filter((name) => results[name].status !== 'operational')
    .map((name) => `${partNames[name]}: ${states[results[name].status][1].toLowerCase()}`);

  return failing.length > 0 ? `<p class="soft">${failing.join(' · ')}</p>` : '';
}

function listOf(items: readonly string[], whenEmpty: string): string {
  return items.length > 0
    ? `<ul role="list">${items.join('')}</ul>`
    : `<p class="soft">${whenEmpty}</p>`;
}

const incidentStates = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
} as const satisfies Record<IncidentStatus, string>;

function incidentItem({ title, status, startedAt, resolvedAt, updates }: Incident): string {
  const tone = status === 'resolved' ? 'ok' : 'bad';
  const lasted = resolvedAt
    ? `${time(startedAt)} to ${time(resolvedAt)}`
    : `Since ${time(startedAt)}`;
  const updateItems = updates
    .toReversed()
    .map(
      ({ at, message, status: then }) =>
        `<li><span class="soft">${time(at)} · ${incidentStates[then]}</span><p>${escapeHtml(message)}</p></li>`,
    );

  return `<li><div class="part"><h3>${escapeHtml(title)}</h3><span class="state ${tone}">${incidentStates[status]}</span></div><p class="soft">${lasted}</p><ul class="updates" role="list">${updateItems.join('')}</ul></li>`;
}

const maintenanceStates = {
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  completed: 'Completed',
} as const;

function maintenanceItem({ title, message, status, startsAt, endsAt }: Maintenance): string {
  return `<li><div class="part"><h3>${escapeHtml(title)}</h3><span class="state info">${maintenanceStates[status]}</span></div><p>${escapeHtml(message)}</p><p class="soft">${time(startsAt)} to ${time(endsAt)}</p></li>`;
}

function time(at: string): string {
  const shown = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

  return `<time datetime="${escapeHtml(at)}">${escapeHtml(shown)}</time>`;
}
