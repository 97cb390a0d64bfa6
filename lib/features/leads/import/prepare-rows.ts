import type { CustomField } from '#lib/features/leads/custom-field.ts';
import { valueOfCell, valueProblems } from '#lib/features/leads/custom-values.ts';
import { tagsOfCell } from '#lib/features/leads/tags-in-csv.ts';
import { MalformedCsvError, readCsv } from '#lib/platform/csv/read-csv.ts';
import { withFormula } from '#lib/platform/csv/write-csv.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { describeIssues } from '#lib/platform/http/validation.ts';
import { maxLength } from '#schemas/common.ts';
import type { AppliesTo } from '#schemas/custom-fields.ts';
import { importedRow, maxImportedRows } from '#schemas/leads.ts';
import type * as z from '#schemas/zod.ts';
import type { ImportedRow, PreparedRow } from './import-record.ts';

const knownColumns = Object.keys(importedRow.shape).filter(
  (column) => !column.startsWith('customFields'),
);
const requiredColumns = ['name', 'email'];
const maxColumns = 100;
/** Replaces bytes that are invalid in the file's encoding. */
const replacementCharacter = '\uFFFD';

export type PreparedFile = {
  readonly rows: readonly PreparedRow[];
  readonly ignoredColumns: readonly string[];
};

/**
 * Parses a file into rows, each with the data to import or the reason it is rejected.
 *
 * @throws 400 if the file is not CSV, lacks required columns, or has no rows or too many.
 */
export function prepareRows(csv: string, customFields: readonly CustomField[]): PreparedFile {
  const [header, ...rows] = readTable(csv);
  const { fields, ignoredColumns } = readHeader(header ?? [], customFields);
  const rowsByEmail = new Map<string, number>();
  const prepared = rows.map((cells, index): PreparedRow => {
    const row = index + 1;
    const { details, reason } = readRow(fields, cells, customFields);
    if (!details) {
      return { row, reason };
    }
    const earlier = rowsByEmail.get(details.email);
    if (earlier !== undefined) {
      return { row, reason: `email is a duplicate of row ${earlier}` };
    }
    rowsByEmail.set(details.email, row);

    return { row, details };
  });

  return { rows: prepared, ignoredColumns };
}

/** Returns the header and the rows, without trailing empty lines. */
function readTable(csv: string): ReadonlyArray<readonly string[]> {
  const table: Array<readonly string[]> = [];
  let length = 0;
  try {
    for (const cells of readCsv(csv)) {
      table.push(cells);
      if (cells.some((cell) => cell.includes(replacementCharacter))) {
        throw new MalformedCsvError(
          table.length,
          'contains U+FFFD, because the file was decoded with another encoding than its own',
        );
      }
      length = cells.length === 1 && cells[0] === '' ? length : table.length;
      if (length > maxImportedRows + 1) {
        throw badRequest(`csv must have no more than ${maxImportedRows} rows`);
      }
    }
  } catch (failure) {
    if (failure instanceof MalformedCsvError) {
      throw badRequest(`csv must be well-formed: ${failure.message}`);
    }
    throw failure;
  }
  if (length < 2) {
    throw badRequest('csv must have a header and at least one row');
  }

  return table.slice(0, length);
}

type Header = {
  /** The field in each column, or undefined if the column is ignored. */
  readonly fields: ReadonlyArray<string | undefined>;
  readonly ignoredColumns: readonly string[];
};

function readHeader(cells: readonly string[], customFields: readonly CustomField[]): Header {
  if (cells.length > maxColumns) {
    throw badRequest(`csv must have no more than ${maxColumns} columns`);
  }
  const names = cells.map((cell) => cell.trim().slice(0, maxLength.name).toWellFormed());
  const fields = names.map((name) =>
    [...knownColumns, ...customFields.map(columnOf)].find(
      (column) => column.toLowerCase() === name.toLowerCase(),
    ),
  );
  const missing = requiredColumns.filter((column) => !fields.includes(column));
  const known = fields.filter((field) => field !== undefined);
  const repeated = known.filter((field, index) => known.indexOf(field) !== index);
  if (missing.length > 0 || repeated.length > 0) {
    throw badRequest(
      ...missing.map((column) => `csv must have the column ${column}`),
      ...new Set(repeated.map((column) => `csv must have the column ${column} only once`)),
    );
  }

  return { fields, ignoredColumns: names.filter((_, index) => fields[index] === undefined) };
}

type ReadRow =
  | { readonly details: ImportedRow; readonly reason?: undefined }
  | { readonly details?: undefined; readonly reason: string };

function readRow(
  fields: Header['fields'],
  cells: readonly string[],
  customFields: readonly CustomField[],
): ReadRow {
  if (cells.length !== fields.length) {
    return { reason: `row must have ${fields.length} cells, not ${cells.length}` };
  }
  const entries = cells.flatMap((cell, index) => {
    const [field, text] = [fields[index], withFormula(cell)];

    return field === undefined || text.trim() === '' ? [] : [[field, cellValue(field, text)]];
  });
  const given = Object.fromEntries(entries);
  const values = valuesIn(given, customFields);
  const { data, error } = importedRow.safeParse({ ...given, ...values }, { reportInput: true });
  const problems = [
    ...describeIssues((error?.issues ?? []).map(inColumn)),
    ...valueProblems(customFields, 'LEAD', values.customFields),
    ...valueProblems(customFields, 'CONTACT', values.customFieldsOfContact),
  ];

  return data && problems.length === 0
    ? { details: data }
    : { reason: distinctFields(problems).join('; ') };
}

/** Keeps the first problem of each field. */
function distinctFields(problems: readonly string[]): readonly string[] {
  const fields = problems.map((problem) => problem.split(' ', 1)[0]);

  return problems.filter((_, index) => fields.indexOf(fields[index]) === index);
}

/** Replaces the field of an issue with the column in the file. */
function inColumn(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const [field, ...rest] = issue.path;

  return field === 'customFieldsOfContact' ? { ...issue, path: ['customFields', ...rest] } : issue;
}

function columnOf({ key }: CustomField): string {
  return `customFields.${key}`;
}

type Cells = Readonly<Record<string, unknown>>;

/** Returns the values of custom fields by the record that they belong to. */
function valuesIn(given: Cells, customFields: readonly CustomField[]) {
  const valuesOf = (appliesTo: AppliesTo) =>
    Object.fromEntries(
      customFields.flatMap((field) => {
        const cell = given[columnOf(field)];

        return field.appliesTo === appliesTo && typeof cell === 'string'
          ? [[field.key, valueOfCell(field, cell)]]
          : [];
      }),
    );

  return { customFields: valuesOf('LEAD'), customFieldsOfContact: valuesOf('CONTACT') };
}

function cellValue(field: string, text: string): string | number | readonly string[] {
  if (field === 'tags') {
    return tagsOfCell(text) ?? text;
  }

  return field === 'value' && /^\s*-?\d{1,15}(\.\d{1,9})?\s*$/.test(text) ? Number(text) : text;
}
