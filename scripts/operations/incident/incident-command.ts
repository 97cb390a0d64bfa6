import { parseArgs } from 'node:util';
import {
  announceMaintenance,
  cancelMaintenance,
  type Incident,
  impacts,
  incidentStatuses,
  listIncidents,
  listMaintenance,
  openIncident,
  updateIncident,
} from '#lib/features/health/incidents/incidents.ts';
import { dependencies, networkNames } from '#schemas/health.ts';

type Options = Readonly<Partial<Record<keyof typeof optionTypes, string>>>;
type Command = (subject: string | undefined, options: Options) => Promise<readonly string[]>;

const services = ['api', ...dependencies, ...networkNames] as const;
const optionTypes = {
  title: { type: 'string' },
  message: { type: 'string' },
  impact: { type: 'string' },
  status: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;
const maxLength = 1_000;

export const usage = `How to use it:
  npm run incident -- list
  npm run incident -- open <service> --title <text> --message <text> [--impact <impact>]
  npm run incident -- update <incident id> --status <status> --message <text>
  npm run incident -- close <incident id> --message <text>
  npm run incident -- plan --title <text> --message <text> --from <time> --to <time>
  npm run incident -- cancel <maintenance id>

  service  ${services.join(', ')}
  impact   ${impacts.join(', ')}; minor where none is named
  status   ${incidentStatuses.join(', ')}
  time     as 2026-11-21T22:00:00Z`;

const commands: Readonly<Record<string, Command>> = { list, open, update, close, plan, cancel };

/**
 * Does what a command line says of incidents and maintenance. Everybody may read what is written.
 *
 * @returns the lines to print.
 * @throws with the way to use it where the line is wrong; as `lib/features/health/incidents/incidents.ts` where there is
 *   no such incident, it is closed, or the service has an open one already.
 */
export async function runIncidentCommand(
  commandLine: readonly string[],
): Promise<readonly string[]> {
  const { positionals, values } = parse(commandLine);
  const [name = '', subject, ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    throw wrong(name === '' ? 'A command is missing.' : `There is no command ${name}.`);
  }
  if (rest.length > 0) {
    throw wrong(`What is ${rest.join(' ')}? A text of several words stands in quotes.`);
  }

  return command(subject, values);
}

function parse(commandLine: readonly string[]) {
  try {
    return parseArgs({ args: [...commandLine], options: optionTypes, allowPositionals: true });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

async function list(): Promise<readonly string[]> {
  const [incidents, maintenance] = await Promise.all([listIncidents(), listMaintenance()]);
  const lines = [
    ...incidents.map(describeIncident),
    ...maintenance.map(
      ({ id, status, title, startsAt, endsAt }) =>
        `maintenance ${id}  ${status}, ${startsAt} to ${endsAt}: ${title}`,
    ),
  ];

  return lines.length > 0 ? lines : ['There is no incident and no maintenance.'];
}

async function open(subject: string | undefined, options: Options): Promise<readonly string[]> {
  const incident = await openIncident({
    service: oneOf(services, 'service', subject),
    title: textOf(options, 'title'),
    message: textOf(options, 'message'),
    impact: oneOf(impacts, 'impact', options.impact ?? 'minor'),
    // The probes must not close it.
    isAutomatic: false,
  });

  return [describeIncident(incident)];
}

async function update(subject: string | undefined, options: Options): Promise<readonly string[]> {
  const id = idOf('incident', subject);
  const status = oneOf(incidentStatuses, 'status', options.status);

  return [describeIncident(await updateIncident(id, status, textOf(options, 'message')))];
}

async function close(subject: string | undefined, options: Options): Promise<readonly string[]> {
  return update(subject, { ...options, status: 'resolved' });
}

async function plan(_: string | undefined, options: Options): Promise<readonly string[]> {
  const startsAt = timeOf(options, 'from');
  const endsAt = timeOf(options, 'to');
  if (endsAt <= startsAt) {
    throw wrong('--to must be later than --from.');
  }
  const about = { title: textOf(options, 'title'), message: textOf(options, 'message') };
  const { id } = await announceMaintenance({ ...about, startsAt, endsAt });

  return [`maintenance ${id}  ${startsAt} to ${endsAt}: ${about.title}`];
}

async function cancel(subject: string | undefined): Promise<readonly string[]> {
  const id = idOf('maintenance', subject);
  await cancelMaintenance(id);

  return [`maintenance ${id}  canceled`];
}

function describeIncident({ id, service, status, impact, title, startedAt }: Incident): string {
  return `incident ${id}  ${service}, ${impact}, ${status}, since ${startedAt}: ${title}`;
}

function oneOf<Value extends string>(
  values: readonly Value[],
  name: string,
  given: string | undefined,
): Value {
  const found = values.find((value) => value === given);
  if (!found) {
    throw wrong(given ? `There is no ${name} ${given}.` : `The ${name} is missing.`);
  }

  return found;
}

function textOf(options: Options, name: 'title' | 'message'): string {
  const text = options[name]?.trim() ?? '';
  if (text === '' || text.length > maxLength) {
    throw wrong(`--${name} must have 1 to ${maxLength} characters.`);
  }

  return text;
}

function timeOf(options: Options, name: 'from' | 'to'): string {
  const time = options[name] ?? '';
  // Without a zone it would be the one of this machine.
  if (!/T.*(?:Z|[+-]\d\d:\d\d)$/.test(time) || Number.isNaN(Date.parse(time))) {
    throw wrong(`--${name} must be a time with its zone, as 2026-11-21T22:00:00Z.`);
  }

  return new Date(time).toISOString();
}

function idOf(kind: string, subject: string | undefined): string {
  if (!subject) {
    throw wrong(`The id of the ${kind} is missing.`);
  }

  return subject;
}

function wrong(problem: string): Error {
  return new Error(`${problem}\n\n${usage}`);
}
