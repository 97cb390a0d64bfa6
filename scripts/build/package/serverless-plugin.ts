import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { foldGateway, type Resources } from './fold-gateway.ts';
import { limitScheduleRetries } from './limit-schedule-retries.ts';
import { nestedTemplateName, nestStacks, stackNames, wholeTemplateName } from './nest-stacks.ts';
import { scaleConcurrency } from './scale-concurrency.ts';
import { splitGateway } from './split-gateway.ts';
import { throttlePublicRoutes } from './throttle-public-routes.ts';

type RollbackConfiguration = {
  readonly RollbackTriggers: readonly { readonly Arn: string; readonly Type: string }[];
  readonly MonitoringTimeInMinutes: number;
};

/** The used part of the framework's types. */
type Serverless = {
  readonly service: {
    readonly custom: {
      readonly apiDomain: string;
      readonly rollbackMinutes: string;
      readonly workerConcurrencyPercent: string;
    };
    readonly functions: Readonly<
      Record<string, { readonly handler: string; package?: { artifact: string } }>
    >;
    readonly provider: {
      compiledCloudFormationTemplate: { readonly Resources: Resources };
      rollbackConfiguration?: RollbackConfiguration;
    };
    readonly package: { readonly artifactDirectoryName: string };
  };
  readonly serviceDir: string;
  readonly utils: { readonly writeFileSync: (path: string, content: object) => void };
  readonly getProvider: (name: 'aws') => Provider;
};

type Provider = {
  readonly getStage: () => string;
  readonly getRegion: () => string;
  readonly getAccountInfo: () => Promise<{
    readonly accountId: string;
    readonly partition: string;
  }>;
  readonly getAwsSdkV3Config: () => Promise<S3ClientConfig>;
  readonly getServerlessDeploymentBucketName: () => Promise<string>;
};

const stageName = /^[a-z][a-z0-9]*$/;

/** Configures what serverless.yml can't express. */
// biome-ignore lint/style/noDefaultExport: The framework takes a plugin's default export.
export default class ServerlessPlugin {
  readonly hooks: Readonly<Record<string, () => void | Promise<void>>>;

  constructor(serverless: Serverless) {
    const { service } = serverless;
    this.hooks = {
      'before:package:initialize': () => requireStageName(serverless.getProvider('aws').getStage()),
      // Set here instead of in functions.yml, so that running locally needs no bundles.
      'before:package:createDeploymentArtifacts': () => useBundles(service),
      'after:package:compileEvents': () => {
        const { Resources } = service.provider.compiledCloudFormationTemplate;
        foldGateway(Resources, { hasDomain: service.custom.apiDomain !== '' });
        limitScheduleRetries(Resources);
        scaleConcurrency(Resources, Number(service.custom.workerConcurrencyPercent));
      },
      // The stage's own limit is merged in this step.
      'after:aws:package:finalize:mergeCustomProviderResources': () => {
        const { Resources } = service.provider.compiledCloudFormationTemplate;
        splitGateway(Resources, { hasDomain: service.custom.apiDomain !== '' });
        throttlePublicRoutes(Resources);
        const write = (name: string, content: object) =>
          serverless.utils.writeFileSync(templatePath(serverless, name), content);
        // The checks compare resources that are later in different stacks.
        write(wholeTemplateName, service.provider.compiledCloudFormationTemplate);
        const nested = nestStacks(Resources, service.package.artifactDirectoryName);
        for (const stack of stackNames) {
          write(nestedTemplateName(stack), nested[stack]);
        }
      },
      'before:deploy:deploy': () => watchDeployment(serverless),
      'after:aws:deploy:deploy:uploadArtifacts': () => uploadNestedTemplates(serverless),
    };
  }
}

/** With a dash, the permissions of one stage could cover the functions of another. */
function requireStageName(stage: string): void {
  if (!stageName.test(stage)) {
    throw new Error(`The stage name "${stage}" must consist of lowercase letters and digits.`);
  }
}

/** Lets CloudFormation roll back a deployment if requests fail afterwards. */
async function watchDeployment({ service, getProvider }: Serverless): Promise<void> {
  const minutes = Number(service.custom.rollbackMinutes);
  if (!(minutes > 0)) {
    return;
  }
  const provider = getProvider('aws');
  const { accountId, partition } = await provider.getAccountInfo();
  const name = `social-leads-${provider.getStage()}-api-failures`;
  service.provider.rollbackConfiguration = {
    RollbackTriggers: [
      {
        Arn: `arn:${partition}:cloudwatch:${provider.getRegion()}:${accountId}:alarm:${name}`,
        Type: 'AWS::CloudWatch::Alarm',
      },
    ],
    MonitoringTimeInMinutes: minutes,
  };
}

function templatePath({ serviceDir }: Serverless, name: string): string {
  return join(serviceDir, '.serverless', name);
}

/** The framework uploads only the parent stack's template. */
async function uploadNestedTemplates(serverless: Serverless): Promise<void> {
  const provider = serverless.getProvider('aws');
  const [config, bucket] = await Promise.all([
    provider.getAwsSdkV3Config(),
    provider.getServerlessDeploymentBucketName(),
  ]);
  const client = new S3Client(config);
  await Promise.all(
    stackNames.map(nestedTemplateName).map(async (name) =>
      client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: `${serverless.service.package.artifactDirectoryName}/${name}`,
          Body: await readFile(templatePath(serverless, name), 'utf8'),
          ContentType: 'application/json',
        }),
      ),
    ),
  );
}

function useBundles({ functions }: Serverless['service']): void {
  for (const definition of Object.values(functions)) {
    definition.package = {
      artifact: `.build/${definition.handler.replace(/\.handler$/, '.zip')}`,
    };
  }
}
