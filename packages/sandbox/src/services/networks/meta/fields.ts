import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { parametersOf, rejectParameter, textOf } from './api.ts';
import { parseFieldList, type RequestedField } from './field-list.ts';
import type { NodeType } from './node-types.ts';

type Node = Readonly<Record<string, unknown>>;

/** Answers with the requested fields of an object. Rejects fields that its type does not have. */
export function nodeAnswer(request: SandboxRequest, type: NodeType, node: Node): SandboxAnswer {
  return jsonAnswer(200, select(node, requestedFields(request, type)));
}

/** Answers with the requested fields of each object in a list. */
export function listAnswer(
  request: SandboxRequest,
  type: NodeType,
  { data, ...rest }: Node & { readonly data: readonly Node[] },
): SandboxAnswer {
  const fields = requestedFields(request, type);

  return jsonAnswer(200, { data: data.map((node) => select(node, fields)), ...rest });
}

function requestedFields(request: SandboxRequest, type: NodeType): readonly RequestedField[] {
  const text = textOf(parametersOf(request), 'fields');

  return known(text === undefined ? defaultsOf(type) : parseFieldList(text), type);
}

function defaultsOf({ defaults }: NodeType): readonly RequestedField[] {
  return defaults.map((name) => ({ name, modifiers: {} }));
}

/** Requires that the type has these fields. Adds the default fields of nested objects. */
function known(fields: readonly RequestedField[], type: NodeType): readonly RequestedField[] {
  return fields.map((field) => {
    if (!type.fields.has(field.name)) {
      rejectParameter(
        `Tried accessing nonexisting field (${field.name}) on node type (${type.name})`,
      );
    }
    const nested = type.nested?.[field.name];

    return nested === undefined
      ? field
      : { ...field, nested: known(field.nested ?? defaultsOf(nested), nested) };
  });
}

/** The id is always returned if the object has one. */
function select(node: Node, fields: readonly RequestedField[]): Node {
  const { id } = node;
  const chosen = fields.flatMap((field) => {
    const value = node[field.name];

    return value === undefined ? [] : [[field.alias ?? field.name, shaped(value, field)] as const];
  });

  return { ...Object.fromEntries(chosen), ...(id === undefined ? {} : { id }) };
}

function shaped(value: unknown, { modifiers, nested }: RequestedField): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const node = value as Node;
  const fields = (part: unknown) => (nested === undefined ? part : select(part as Node, nested));
  const { data, summary, ...rest } = node;
  if (Array.isArray(data)) {
    const limit = Number(modifiers.limit ?? data.length);
    const wantsSummary = (modifiers.summary ?? 'false') !== 'false';

    return {
      data: data.slice(0, limit).map(fields),
      ...rest,
      ...(wantsSummary ? { summary } : {}),
    };
  }

  // A picture is wrapped in `data`.
  return data === undefined ? fields(node) : { data: fields(data) };
}
