import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';

/** The thread was terminated, because it took too long or too much memory. */
export class ThreadLimitError extends Error {}

export type ThreadTask<Input, Output, Question, Answer> = {
  /** Identifies the task in a bundle, where all modules are one file. */
  readonly name: string;
  /** `import.meta.filename` of the module that defines the task. The thread loads this file. */
  readonly file: string;
  readonly timeoutMs: number;
  /** The limit of JavaScript objects. Buffers have the same limit. */
  readonly memoryMb: number;
  /** Errors of this class are passed to the caller. */
  readonly rejection: new (
    message: string,
  ) => Error;
  /** Runs in the thread. `ask` sends a question to the caller, one at a time. */
  readonly run: (
    input: Input,
    ask: (question: Question) => Promise<Answer>,
  ) => Output | Promise<Output>;
};

type FromThread<Output, Question> =
  | { readonly output: Output }
  | { readonly rejected: string }
  | { readonly question: Question };

/**
 * Returns a function that runs a task in its own thread. Use it for files from tenants and
 * strangers: code that never ends, or uses all memory, only terminates its thread.
 *
 * A thread loads the file of its task. In a bundle, this is the whole function.
 *
 * @throws ThreadLimitError from the returned function.
 */
export function inThread<Input, Output, Question = never, Answer = never>(
  task: ThreadTask<Input, Output, Question, Answer>,
): (input: Input, answer?: (question: Question) => Promise<Answer>) => Promise<Output> {
  if (parentPort && workerData?.task === task.name) {
    void serve(task, parentPort);
  }

  return (input, answer) => callThread(task, input, answer);
}

async function serve<Input, Output, Question, Answer>(
  { run, rejection }: ThreadTask<Input, Output, Question, Answer>,
  port: MessagePort,
): Promise<void> {
  const send = (message: FromThread<Output, Question>) => port.postMessage(message);
  // The rest of the bundle must be evaluated first.
  await setImmediate();
  try {
    const output = await run(workerData.input, async (question) => {
      send({ question });
      const [answer] = await once(port, 'message');

      return answer;
    });
    send({ output });
  } catch (failure) {
    if (!(failure instanceof rejection)) {
      throw failure;
    }
    send({ rejected: failure.message });
  }
}

const checkIntervalMs = 100;
const bytesPerMb = 1_000_000;

async function callThread<Input, Output, Question, Answer>(
  { name, file, timeoutMs, memoryMb, rejection }: ThreadTask<Input, Output, Question, Answer>,
  input: Input,
  answer?: (question: Question) => Promise<Answer>,
): Promise<Output> {
  const { promise, resolve, reject } = Promise.withResolvers<Output>();
  const thread = new Worker(file, {
    workerData: { task: name, input },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  thread
    .on('message', (message: FromThread<Output, Question>) => {
      if ('question' in message) {
        answer?.(message.question).then((given) => thread.postMessage(given), reject);
      } else if ('rejected' in message) {
        reject(new rejection(message.rejected));
      } else {
        resolve(message.output);
      }
    })
    .on('error', (failure: NodeJS.ErrnoException) => {
      const isOutOfMemory = failure.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(isOutOfMemory ? new ThreadLimitError(`${name} took too much memory`) : failure);
    })
    .on('exit', () => reject(new Error(`The thread of ${name} has ended`)));
  const timer = setTimeout(() => reject(new ThreadLimitError(`${name} took too long`)), timeoutMs);
  // A thread's own limits do not include buffers.
  const watch = setInterval(async () => {
    const heap = await thread.getHeapStatistics().catch(() => undefined);
    if (heap && heap.external_memory > memoryMb * bytesPerMb) {
      reject(new ThreadLimitError(`${name} took too much memory`));
    }
  }, checkIntervalMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await thread.terminate();
  }
}
