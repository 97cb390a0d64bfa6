import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import {
  createKnowledgeSource,
  getKnowledgeSource,
  listKnowledgeGaps,
  searchKnowledge,
} from '#schemas/knowledge.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';
import { drainWork } from '#tests/support/work.ts';

const storage = new S3Client({ endpoint: String(process.env.S3_ENDPOINT), forcePathStyle: true });

type Body = Readonly<Record<string, unknown>>;

/** Creates an organization, unless it exists, and calls operations of its knowledge. */
export async function knowledgeWorld(existing?: Account) {
  const owner = existing ?? (await newAccount());
  const { organizationId } = owner;

  function ask(contract: Contract, { params, ...options }: Call = {}): Promise<Answer> {
    return call(contract, {
      token: owner.token,
      params: { organization_id: organizationId, ...params },
      ...options,
    });
  }

  async function create(body: Body): Promise<Answer['body']> {
    const answer = await ask(createKnowledgeSource, { body: { name: 'Hours', ...body } });
    expect(answer.status).toBe(201);

    return answer.body;
  }

  const read = () => drainWork('knowledge-reading');

  async function find(id: string) {
    return (await ask(getKnowledgeSource, { params: { source_id: id } })).body.source;
  }

  /** Creates a source and reads it. */
  async function add(body: Body) {
    const { source } = await create(body);
    await read();

    return find(source.id);
  }

  async function search(query: string, limit?: number) {
    return (await ask(searchKnowledge, { body: { query, ...(limit ? { limit } : {}) } })).body.hits;
  }

  async function gaps() {
    return (await ask(listKnowledgeGaps)).body.gaps;
  }

  /** Returns the keys of all stored files of the organization. */
  async function storedKeys(): Promise<readonly string[]> {
    const found = await Promise.all(
      ['uploads', 'knowledge'].map((prefix) =>
        storage.send(
          new ListObjectsV2Command({
            Bucket: process.env.FILES_BUCKET,
            Prefix: `${prefix}/${organizationId}/`,
          }),
        ),
      ),
    );

    return found.flatMap(({ Contents = [] }) => Contents.map(({ Key = '' }) => Key));
  }

  return { owner, organizationId, ask, create, read, find, add, search, gaps, storedKeys };
}

export type KnowledgeWorld = Awaited<ReturnType<typeof knowledgeWorld>>;

/** Returns a PDF with one line of text per page. */
export function pdf(...lines: readonly string[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${lines.length} /Kids [${lines.map((_, page) => `${4 + page * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, page) => {
      const content = `BT /F1 12 Tf 20 100 Td (${line}) Tj ET`;

      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents ${5 + page * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;

    return String(offset).padStart(10, '0');
  });
  const table = ['0000000000 65535 f ', ...offsets.map((offset) => `${offset} 00000 n `)];
  const size = objects.length + 1;

  return Buffer.from(
    `${file}xref\n0 ${size}\n${table.join('\n')}\ntrailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`,
  );
}
