import { CelEngine, type StandardDiagnostic } from '@aws/cloudformation-validate';
import type { Template } from '#scripts/build/package/template.ts';

/** Warnings about values that a service rejects at deployment: an unknown value, an old runtime. */
const rejectedWarnings: ReadonlySet<string> = new Set(['W3030', 'W2531']);
/** `checkLimits` counts resources per stack. */
const tooManyResources = 'F0007';
/** Some messages list all resources of the template. */
const messageLength = 300;

/** Finds everything that CloudFormation would reject, with AWS's own offline validator. */
export function validateWithAws(template: Template | string): string[] {
  const content = typeof template === 'string' ? template : JSON.stringify(template);
  const engine = new CelEngine();
  try {
    const file = { path: 'template', readBytes: () => Buffer.from(content) };
    const { status, diagnostics } = engine.validateStandard(file, { severityLevel: 'WARN' });
    const incomplete = status === 'OK' ? [] : [`AWS's validator ended with the status ${status}`];

    return [...incomplete, ...diagnostics.filter(isRejected).map(describe)];
  } finally {
    engine.free();
  }
}

function isRejected({ severity, ruleId }: StandardDiagnostic): boolean {
  return (severity !== 'WARN' && ruleId !== tooManyResources) || rejectedWarnings.has(ruleId);
}

function describe({ entity, propertyPath, ruleId, message }: StandardDiagnostic): string {
  const place = [entity?.logicalId, propertyPath].filter(Boolean).join(': ');

  return `${place} ${message.slice(0, messageLength)} (${ruleId})`;
}
