import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { table, time } from '../frame/html.ts';
import { jsonAnswer, parseJson } from '../frame/http.ts';
import type {
  PageSection,
  SandboxAnswer,
  SandboxRequest,
  SandboxService,
  ServiceContext,
} from '../frame/service.ts';
import { awsHeaders, isSigned } from './aws-protocol.ts';

type SecretVersion = {
  readonly id: string;
  readonly createdAt: Date;
  readonly text: string;
  readonly stages: readonly string[];
};

type Secret = {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Date;
  /** Versions by id, oldest first. */
  readonly versions: ReadonlyMap<string, SecretVersion>;
};

type Secrets = Map<string, Secret>;

const contentType = 'application/x-amz-json-1.1';
const targetPrefix = 'secretsmanager.';
const current = 'AWSCURRENT';
const previous = 'AWSPREVIOUS';

const getSchema = z.object({
  SecretId: z.string().min(1),
  VersionId: z.string().optional(),
  VersionStage: z.string().optional(),
});
const putSchema = z.object({
  SecretId: z.string().min(1),
  SecretString: z.string(),
  ClientRequestToken: z.string().min(32).max(64).optional(),
  VersionStages: z.array(z.string()).min(1).default([current]),
});
const describeSchema = z.object({ SecretId: z.string().min(1) });

/** Simulates AWS Secrets Manager: reads, describes and rotates text secrets. */
export function createSecretsManager(context: ServiceContext): SandboxService {
  const secrets: Secrets = new Map();
  const reset = (): void => {
    secrets.clear();

    for (const [name, text] of Object.entries(context.secrets)) {
      secrets.set(name, newSecret(name, text, context.clock()));
    }
  };
  reset();

  return {
    name: 'secretsmanager',
    matches: (request) =>
      request.path === '/' && (request.headers['x-amz-target'] ?? '').startsWith(targetPrefix),
    answer: (request) => answer(secrets, request, context.clock()),
    failure: (status, message) =>
      failure(status, status >= 500 ? 'InternalServiceError' : 'InvalidRequestException', message),
    reset,
    hasSecretBodies: true,
    control: [],
    sections: () => [secretSection(secrets)],
  };
}

function answer(secrets: Secrets, request: SandboxRequest, now: Date): SandboxAnswer {
  if (!isSigned(request)) {
    return failure(400, 'MissingAuthenticationTokenException', 'Missing Authentication Token');
  }

  const body = parseJson(request.body);

  switch (request.headers['x-amz-target']?.slice(targetPrefix.length)) {
    case 'GetSecretValue':
      return withInput(getSchema, body, (input) => getValue(secrets, input));
    case 'PutSecretValue':
      return withInput(putSchema, body, (input) => putValue(secrets, input, now));
    case 'DescribeSecret':
      return withInput(describeSchema, body, (input) => describe(secrets, input));
    default:
      return { ...failure(400, 'UnknownOperationException', ''), unexpected: true };
  }
}

function withInput<S extends z.ZodType>(
  schema: S,
  body: unknown,
  run: (input: z.output<S>) => SandboxAnswer,
): SandboxAnswer {
  const parsed = schema.safeParse(body);

  if (parsed.success) {
    return run(parsed.data);
  }

  const names = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');

  return failure(400, 'ValidationException', `Invalid or missing value: ${names}`);
}

function getValue(secrets: Secrets, input: z.output<typeof getSchema>): SandboxAnswer {
  const secret = findSecret(secrets, input.SecretId);

  if (secret === undefined) {
    return notFound("Secrets Manager can't find the specified secret.");
  }

  const stage = input.VersionStage ?? (input.VersionId === undefined ? current : undefined);
  const version = [...secret.versions.values()].find(
    (one) =>
      (input.VersionId === undefined || one.id === input.VersionId) &&
      (stage === undefined || one.stages.includes(stage)),
  );

  if (version === undefined) {
    const wanted =
      input.VersionId === undefined ? `staging label: ${stage}` : `VersionId: ${input.VersionId}`;

    return notFound(`Secrets Manager can't find the specified secret value for ${wanted}`);
  }

  return success({
    ARN: secret.arn,
    CreatedDate: toSeconds(version.createdAt),
    Name: secret.name,
    SecretString: version.text,
    VersionId: version.id,
    VersionStages: version.stages,
  });
}

function putValue(secrets: Secrets, input: z.output<typeof putSchema>, now: Date): SandboxAnswer {
  const secret = findSecret(secrets, input.SecretId);

  if (secret === undefined) {
    return notFound("Secrets Manager can't find the specified secret.");
  }

  const id = input.ClientRequestToken ?? randomUUID();
  const existing = secret.versions.get(id);

  if (existing !== undefined && existing.text !== input.SecretString) {
    return failure(
      400,
      'ResourceExistsException',
      `The operation failed because the version ${id} already exists with another value.`,
    );
  }

  const added = existing ?? { id, createdAt: now, text: input.SecretString, stages: [] };
  const versions = moveStages(
    new Map(secret.versions).set(id, added),
    id,
    existing === undefined ? input.VersionStages : existing.stages,
  );
  secrets.set(secret.name, { ...secret, versions });

  return success({
    ARN: secret.arn,
    Name: secret.name,
    VersionId: id,
    VersionStages: versions.get(id)?.stages ?? [],
  });
}

/** A stage is attached to only one version. A version that loses AWSCURRENT becomes AWSPREVIOUS. */
function moveStages(
  versions: ReadonlyMap<string, SecretVersion>,
  id: string,
  stages: readonly string[],
): ReadonlyMap<string, SecretVersion> {
  const leaving = [...versions.values()].find(
    (version) => version.id !== id && version.stages.includes(current),
  );
  const demoted = stages.includes(current) ? leaving?.id : undefined;

  return new Map(
    [...versions].map(([versionId, version]) => {
      if (versionId === id) {
        return [versionId, { ...version, stages }];
      }

      const kept = version.stages.filter(
        (stage) => !stages.includes(stage) && (demoted === undefined || stage !== previous),
      );

      return [
        versionId,
        { ...version, stages: versionId === demoted ? [...kept, previous] : kept },
      ];
    }),
  );
}

function describe(secrets: Secrets, input: z.output<typeof describeSchema>): SandboxAnswer {
  const secret = findSecret(secrets, input.SecretId);

  if (secret === undefined) {
    return notFound("Secrets Manager can't find the specified secret.");
  }

  const labelled = [...secret.versions.values()].filter((version) => version.stages.length > 0);

  return success({
    ARN: secret.arn,
    CreatedDate: toSeconds(secret.createdAt),
    LastChangedDate: toSeconds(lastChange(secret)),
    Name: secret.name,
    VersionIdsToStages: Object.fromEntries(labelled.map((version) => [version.id, version.stages])),
  });
}

function findSecret(secrets: Secrets, nameOrArn: string): Secret | undefined {
  return secrets.get(nameOrArn) ?? [...secrets.values()].find((secret) => secret.arn === nameOrArn);
}

function newSecret(name: string, text: string, now: Date): Secret {
  const id = randomUUID();
  const suffix = randomUUID().slice(0, 6);

  return {
    name,
    arn: `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-${suffix}`,
    createdAt: now,
    versions: new Map([[id, { id, createdAt: now, text, stages: [current] }]]),
  };
}

function lastChange(secret: Secret): Date {
  return [...secret.versions.values()].at(-1)?.createdAt ?? secret.createdAt;
}

function toSeconds(at: Date): number {
  return at.getTime() / 1_000;
}

function success(value: unknown): SandboxAnswer {
  return jsonAnswer(200, value, awsHeaders(contentType));
}

function notFound(message: string): SandboxAnswer {
  return failure(400, 'ResourceNotFoundException', message);
}

function failure(status: number, type: string, message: string): SandboxAnswer {
  return jsonAnswer(status, { __type: type, Message: message }, awsHeaders(contentType));
}

function secretSection(secrets: Secrets): PageSection {
  const rows = [...secrets.values()].map((secret) => [
    secret.name,
    secret.versions.size,
    time(lastChange(secret)),
  ]);

  return {
    id: 'secrets',
    title: 'Secrets',
    content: table(
      'Secret names (values are hidden)',
      ['Name', 'Versions', 'Changed (UTC)'],
      rows,
      'No secrets.',
    ),
  };
}
