export type Invocation = {
  /** True if the function itself failed. `payload` then describes the error. */
  readonly failed: boolean;
  readonly payload: unknown;
};

/** Invokes a function and waits for its response, like the SDK's `Invoke`. */
export async function invokeFunction(
  lambdaUrl: string,
  functionName: string,
  event: unknown,
  signal?: AbortSignal,
): Promise<Invocation> {
  const response = await fetch(
    `${lambdaUrl}/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
    { method: 'POST', body: JSON.stringify(event), ...(signal ? { signal } : {}) },
  );
  const text = await response.text();

  return {
    failed: !response.ok || response.headers.has('x-amz-function-error'),
    payload: parsePayload(text),
  };
}

function parsePayload(text: string): unknown {
  if (text === '') {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
