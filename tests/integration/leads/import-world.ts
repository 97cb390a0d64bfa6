import { expect } from 'vitest';
import { csvRow } from '#lib/platform/csv/write-csv.ts';
import * as leads from '#schemas/leads.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

export function fileOf(...rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  return rows.map(csvRow).join('');
}

export function manyRows(number: number): string {
  return fileOf(
    ['name', 'email', 'value'],
    ...Array.from({ length: number }, (_, index) => [
      `Person ${index}`,
      `p${index}@example.com`,
      1,
    ]),
  );
}

export type ImportWorld = Awaited<ReturnType<typeof importWorld>>;

/** Creates an organization and imports leads into its default pipeline. */
export async function importWorld() {
  const owner = await newAccount();
  const pipelineId = (await call(leads.listPipelines, inOrganization())).body.pipelines[0].id;

  function inOrganization(params: Readonly<Record<string, string>> = {}) {
    return { params: { organization_id: owner.organizationId, ...params }, token: owner.token };
  }

  function importLeads(
    csv: string,
    options: Readonly<Record<string, unknown>> = {},
    token = owner.token,
  ) {
    return call(leads.importLeads, { ...inOrganization(), token, body: { csv, ...options } });
  }

  async function importFile(csv: string, options: Readonly<Record<string, unknown>> = {}) {
    const answer = await importLeads(csv, options);
    expect(answer.status).toBe(201);

    return answer.body.import;
  }

  async function readBack(importId: string, query: Readonly<Record<string, string>> = {}) {
    return (await call(leads.getImport, { ...inOrganization({ import_id: importId }), query }))
      .body;
  }

  return { owner, pipelineId, inOrganization, importLeads, importFile, readBack };
}
