import { foldGateway, type Resources } from './fold-gateway.ts';
import { limitScheduleRetries } from './limit-schedule-retries.ts';
import { throttlePublicRoutes } from './throttle-public-routes.ts';

/** The part of the framework that is used here. */
type Serverless = {
  readonly service: {
    readonly functions: Readonly<
      Record<string, { readonly handler: string; package?: { artifact: string } }>
    >;
    readonly provider: {
      compiledCloudFormationTemplate: { readonly Resources: Resources };
    };
  };
};

/** Configures what serverless.yml can't express. */
// biome-ignore lint/style/noDefaultExport: The framework takes a plugin's default export.
export default class ServerlessPlugin {
  readonly hooks: Readonly<Record<string, () => void>>;

  constructor({ service }: Serverless) {
    this.hooks = {
      // Set here instead of in functions.yml, so running locally needs no bundles.
      'before:package:createDeploymentArtifacts': () => useBundles(service),
      'after:package:compileEvents': () => {
        const { Resources: resources } = service.provider.compiledCloudFormationTemplate;
        foldGateway(resources);
        limitScheduleRetries(resources);
      },
      // The stage's own limit is merged in only now.
      'after:aws:package:finalize:mergeCustomProviderResources': () =>
        throttlePublicRoutes(service.provider.compiledCloudFormationTemplate.Resources),
    };
  }
}

function useBundles({ functions }: Serverless['service']): void {
  for (const definition of Object.values(functions)) {
    definition.package = {
      artifact: `.build/${definition.handler.replace(/\.handler$/, '.zip')}`,
    };
  }
}
