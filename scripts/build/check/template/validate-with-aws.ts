import { CelEngine, type StandardDiagnostic } from '@aws/cloudformation-validate';
import type { Template } from '#scripts/build/package/template.ts';

/**
 * Rules that the framework's part of the template breaks without harm: W3005 reports dependencies
 * that CloudFormation derives itself, W8003 a condition whose value is known while packaging.
 */
const harmless = ['W3005', 'W8003'];
/** Some messages list all resources of the template. */
const messageLength = 300;

/**
 * Finds what CloudFormation would reject, with AWS's own offline validator. Warnings count too:
 * some of them name values that a service rejects at deployment.
 */
export function validateWithAws(template: Template): string[] {
  const engine = new CelEngine();
  try {
    const file = {
      path: 'template.json',
      readBytes: () => Buffer.from(JSON.stringify(template)),
    };
    const { status, diagnostics } = engine.validateStandard(file, {
      severityLevel: 'WARN',
      exclude: { ids: harmless },
    });
    const incomplete = status === 'OK' ? [] : [`AWS's validator ended with the status ${status}`];

    return [...incomplete, ...diagnostics.map(describe)];
  } finally {
    engine.free();
  }
}

function describe({ entity, propertyPath, ruleId, message }: StandardDiagnostic): string {
  const place = [entity?.logicalId, propertyPath].filter(Boolean).join(': ');

  return `${place} ${message.slice(0, messageLength)} (${ruleId})`;
}
