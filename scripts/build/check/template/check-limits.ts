import type { CompiledTemplate, Resource, Template } from '#scripts/build/package/template.ts';

/** The used part of one of AWS's limits. */
export type Usage = { readonly what: string; readonly used: number; readonly limit: number };

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const resourceLimit = 500;
const parameterLimit = 200;
const outputLimit = 200;
const templateLimitBytes = 1_048_576;
/**
 * AWS can raise the limit of routes, but not the limit of integrations, and each route has its own
 * integration. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const routeLimit = 300;
const functionNameLimit = 64;

/** The rest is for resources that are added by hand in an emergency. */
const failShare = 0.95;
/** Leaves time to make room before the next feature fails. */
const warnShare = 0.85;

type Compiled = Pick<CompiledTemplate, 'template' | 'nested' | 'sizeBytes'>;

/** Returns how much of each limit the templates use. */
export function usageOf({ template, nested, sizeBytes }: Compiled): readonly Usage[] {
  return [
    usage('resources of the stack', template.Resources, resourceLimit),
    ...Object.entries(nested).flatMap(([stack, { Resources, Parameters, Outputs }]) => [
      usage(`resources of ${stack}`, Resources, resourceLimit),
      usage(`parameters of ${stack}`, Parameters, parameterLimit),
      usage(`outputs of ${stack}`, Outputs, outputLimit),
    ]),
    ...gatewayUsage(template),
    { what: 'bytes of the template', used: sizeBytes, limit: templateLimitBytes },
  ];
}

function usage(what: string, parts: object | undefined, limit: number): Usage {
  return { what, used: Object.keys(parts ?? {}).length, limit };
}

function gatewayUsage({ Resources: resources }: Template): readonly Usage[] {
  return Object.entries(resources)
    .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api')
    .flatMap(([logicalId, { Properties }]) => {
      const { paths } = (Properties?.Body ?? {}) as { paths?: Readonly<Record<string, object>> };
      const used = Object.values(paths ?? {}).flatMap((methods) => Object.keys(methods)).length;

      return paths
        ? [{ what: `routes and integrations of ${logicalId}`, used, limit: routeLimit }]
        : [];
    });
}

/** Finds limits that are almost reached, and names that are too long. */
export function checkLimits(compiled: Compiled): string[] {
  const resources = Object.values(compiled.template.Resources);
  const exceeded = usageOf(compiled)
    .filter((one) => share(one) > failShare)
    .map((one) =>
      one.limit === templateLimitBytes
        ? `${describe(one)}${largestVariable(resources)}`
        : describe(one),
    );

  return [...resources.flatMap(longFunctionName), ...exceeded];
}

/** Finds limits that are more than 85% used, but not yet a problem. */
export function nearLimits(compiled: Compiled): string[] {
  return usageOf(compiled)
    .filter((one) => share(one) > warnShare && share(one) <= failShare)
    .map(describe);
}

function share({ used, limit }: Usage): number {
  return used / limit;
}

function describe(one: Usage): string {
  return `${one.used} of ${one.limit} ${one.what} are used. \`npm run package\` fails above ${failShare * 100}%`;
}
/** A variable is repeated in each function, so a long value fills the template. */
function largestVariable(resources: readonly Resource[]): string {
  const bytes = new Map<string, number>();
  for (const { Properties = {} } of resources) {
    const { Variables = {} } = (Properties.Environment ?? {}) as {
      Variables?: Readonly<Record<string, unknown>>;
    };
    for (const [name, value] of Object.entries(Variables)) {
      bytes.set(name, (bytes.get(name) ?? 0) + Buffer.byteLength(JSON.stringify(value)));
    }
  }
  const [largest] = [...bytes].toSorted(([, one], [, other]) => other - one);

  return largest
    ? `. The largest environment variable is ${largest[0]}: ${largest[1]} bytes in all functions`
    : '';
}

function longFunctionName({ Type, Properties = {} }: Resource): string[] {
  const name = String(Properties.FunctionName);

  return Type === 'AWS::Lambda::Function' && name.length > functionNameLimit
    ? [`The function name ${name} has more than ${functionNameLimit} characters`]
    : [];
}
