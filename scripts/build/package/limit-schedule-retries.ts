import type { Resources } from './fold-gateway.ts';

type Schedule = { Target: Record<string, unknown> & { readonly Arn: { 'Fn::GetAtt': string[] } } };

/**
 * Gives each schedule the retry limits of its function. By default, EventBridge would try to
 * deliver a run for 24 hours. The framework has no setting for it.
 */
export function limitScheduleRetries(resources: Resources): void {
  const limits = new Map(
    Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::EventInvokeConfig')
      .map(({ Properties }) => [(Properties.FunctionName as { Ref: string }).Ref, Properties]),
  );
  for (const { Type, Properties } of Object.values(resources)) {
    if (Type === 'AWS::Scheduler::Schedule') {
      const { Target: target } = Properties as Schedule;
      const [functionId = ''] = target.Arn['Fn::GetAtt'];
      const { MaximumEventAgeInSeconds, MaximumRetryAttempts } = limits.get(functionId) ?? {};
      target.RetryPolicy = { MaximumEventAgeInSeconds, MaximumRetryAttempts };
    }
  }
}
