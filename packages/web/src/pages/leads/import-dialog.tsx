import { useEffect, useState } from 'preact/hooks';
import { readCsv } from '../../../../../lib/platform/csv/read-csv.ts';
import { useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { pipelineNames } from '../../frame/shared-data.ts';
import { client, type LeadImport, type Pipeline } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, Select } from '../../ui/form.tsx';
import { Scrolling } from '../../ui/scrolling.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

const previewedRows = 8;
const maxCharacters = 1_000_000;
const pollMs = 1_000;

type ImportProps = { readonly pipelines: readonly Pipeline[]; readonly onClose: () => void };

/** Reads a file, shows a preview of the import, and then imports it. */
export function ImportDialog({ pipelines, onClose }: ImportProps) {
  const [csv, setCsv] = useState('');
  const [problem, setProblem] = useState('');
  const [pipelineId, setPipelineId] = useState('');
  const [started, setStarted] = useState<LeadImport>();
  const names = pipelineNames(pipelines);
  const choose = async (file: File | undefined) => {
    const text = file ? decoded(await file.arrayBuffer()) : '';
    setProblem(
      text.length > maxCharacters
        ? 'This file is too large. Split it into files of up to 1,000,000 characters.'
        : '',
    );
    setCsv(text.length > maxCharacters ? '' : text);
  };
  if (started) {
    return (
      <Dialog title="Import leads" onClose={onClose}>
        <Progress started={started} onClose={onClose} />
      </Dialog>
    );
  }

  return (
    <Dialog title="Import leads" onClose={onClose}>
      <div class="field">
        <label for="import-file">CSV file</label>
        <input
          id="import-file"
          type="file"
          accept=".csv,text/csv"
          aria-describedby="import-hint"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
        <p class="hint" id="import-hint">
          With a header. Required columns: name and email. Further ones: phone, company, source,
          value (in cents), notes, tags. An exported file can be imported again.
        </p>
      </div>
      {pipelines.length > 1 && (
        <Select
          name="pipelineId"
          label="Pipeline"
          options={names}
          value={pipelineId}
          onChange={({ currentTarget }) => setPipelineId(currentTarget.value)}
        />
      )}
      {problem && <Failure message={problem} />}
      {csv !== '' && (
        <Preview
          key={`${pipelineId} ${csv}`}
          csv={csv}
          pipelineId={pipelineId || Object.keys(names)[0]}
          onStarted={setStarted}
        />
      )}
    </Dialog>
  );
}

/** Spreadsheets on Windows may save files that are not UTF-8. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function Preview({
  csv,
  pipelineId,
  onStarted,
}: {
  readonly csv: string;
  readonly pipelineId: string | undefined;
  readonly onStarted: (started: LeadImport) => void;
}) {
  const { id: organizationId } = useMembership();
  const run = (dryRun: boolean) => ({
    organizationId,
    csv,
    dryRun,
    ...(pipelineId && { pipelineId }),
  });
  const trying = useSend((_: undefined, options) => client.leads.import(run(true), options));
  const importing = useSend((_: unknown, options) => client.leads.import(run(false), options), {
    changes: ['leads'],
  });
  const [tried, setTried] = useState<LeadImport>();
  const start = async () => {
    try {
      setTried((await trying.send()).import);
    } catch {
      // Shown from `trying.error`.
    }
  };
  useEffect(() => void start(), []);
  if (trying.error) {
    return <Failure error={trying.error} onRetry={start} />;
  }

  return tried ? (
    <Form sending={importing} action="Import" onDone={({ import: started }) => onStarted(started)}>
      <Outcome started={tried} />
      <Rows csv={csv} tried={tried} />
    </Form>
  ) : (
    <Loading label="Checking the file" />
  );
}

/** Follows an import or its preview until all rows are processed. */
function useImport(started: LeadImport) {
  const query = useGet(
    ['leads', 'import', started.id],
    (organizationId, options) =>
      client.leads.getImport({ organizationId, importId: started.id, limit: 1 }, options),
    { enabled: started.status === 'RUNNING' },
  );
  const { data, error, refetch } = query;
  const isRunning = data?.import.status === 'RUNNING';
  useEffect(() => {
    const timer = isRunning && !error ? setTimeout(() => void refetch(), pollMs) : undefined;

    return () => clearTimeout(timer);
  }, [data, error]);

  return { query, latest: data?.import ?? started };
}

function Outcome({ started }: { readonly started: LeadImport }) {
  const { number } = useFormats();
  const { query, latest } = useImport(started);
  const { dryRun, status, created, merged, refused, totalRows, processedRows } = latest;
  const would = dryRun ? 'to create' : 'created';
  const parts = [
    `${number(created)} ${would}`,
    `${number(merged)} ${dryRun ? 'to add to existing contacts' : 'added to existing contacts'}`,
    `${number(refused)} rejected`,
  ];

  return (
    <>
      {query.error && <Failure error={query.error} onRetry={() => query.refetch()} />}
      <p role="status">
        {status === 'RUNNING'
          ? `${number(processedRows)} of ${number(totalRows)} rows…`
          : `${number(totalRows)} rows: ${parts.join(', ')}.`}
      </p>
      {latest.ignoredColumns.length > 0 && (
        <p class="quiet">Ignored columns: {latest.ignoredColumns.join(', ')}</p>
      )}
    </>
  );
}

const outcomes = { CREATED: 'New', MERGED: 'Existing contact', REFUSED: 'Rejected' } as const;

function Rows({ csv, tried }: { readonly csv: string; readonly tried: LeadImport }) {
  const [header = [], ...records] = firstRecords(csv);
  const rejected = tried.rows.filter(
    ({ row, outcome }) => outcome === 'REFUSED' && row > records.length,
  );

  return (
    <Scrolling label="Preview" class="preview">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Result</th>
            {header.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((cells, index) => {
            const result = tried.rows.find(({ row }) => row === index + 1);

            return (
              <tr key={String(index)}>
                <td>{index + 1}</td>
                <td>
                  {result && outcomes[result.outcome]}
                  {result?.reason && <p class="message">{result.reason}</p>}
                </td>
                {cells.map((cell, column) => (
                  <td key={String(column)}>{cell.slice(0, 100)}</td>
                ))}
              </tr>
            );
          })}
          {rejected.slice(0, previewedRows).map(({ row, reason }) => (
            <tr key={String(row)}>
              <td>{row}</td>
              <td colSpan={header.length + 1}>
                Rejected <span class="message">{reason}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** Returns the header and the first rows. The service has already accepted the file. */
function firstRecords(csv: string): ReadonlyArray<readonly string[]> {
  const records: Array<readonly string[]> = [];
  for (const record of readCsv(csv)) {
    records.push(record);
    if (records.length > previewedRows) {
      break;
    }
  }

  return records;
}

function Progress({
  started,
  onClose,
}: {
  readonly started: LeadImport;
  readonly onClose: () => void;
}) {
  return (
    <>
      <Outcome started={started} />
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </>
  );
}
