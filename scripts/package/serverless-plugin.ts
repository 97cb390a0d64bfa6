type Resource = { readonly Type: string; readonly Properties: Record<string, unknown> };

/** The part of the framework that is used here. */
type Serverless = {
  readonly service: {
    readonly functions: Readonly<
      Record<string, { readonly handler: string; package?: { artifact: string } }>
    >;
    readonly provider: {
      compiledCloudFormationTemplate: { readonly Resources: Record<string, Resource> };
    };
  };
};

/** What serverless.yml cannot say by itself. */
// biome-ignore lint/style/noDefaultExport: The framework takes a plugin's default export.
export default class ServerlessPlugin {
  readonly hooks: Readonly<Record<string, () => void>>;

  constructor({ service }: Serverless) {
    this.hooks = {
      // Named here and not in functions.yml, so that running locally needs no bundles.
      'before:package:createDeploymentArtifacts': () => useBundles(service),
      'after:package:compileEvents': () => useInvocationRole(service),
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

/**
 * The gateway calls functions in a role instead of by a permission on each function: one resource
 * in place of one for every function, of the 500 that a stack may have.
 */
function useInvocationRole({ provider }: Serverless['service']): void {
  const { Resources: resources } = provider.compiledCloudFormationTemplate;
  for (const [logicalId, { Type: type, Properties: properties }] of Object.entries(resources)) {
    if (type === 'AWS::ApiGatewayV2::Integration') {
      properties.CredentialsArn = { 'Fn::GetAtt': ['InvocationRole', 'Arn'] };
    }
    if (type === 'AWS::Lambda::Permission' && properties.Principal === 'apigateway.amazonaws.com') {
      delete resources[logicalId];
    }
  }
}
