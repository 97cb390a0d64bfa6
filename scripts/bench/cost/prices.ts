/** Public on-demand list prices in USD as of November 21, 2026, without free tiers. */
export type Prices = {
  readonly region: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly lambdaGbSecond: number;
  readonly lambdaCall: number;
  readonly gatewayCall: number;
  readonly standardQueueCall: number;
  readonly orderedQueueCall: number;
  readonly storedGb: number;
  readonly logGb: number;
  readonly alarmMetric: number;
  readonly customMetric: number;
  readonly dashboard: number;
  readonly mail: number;
  readonly trafficGb: number;
  readonly keysAndSecret: number;
  /** Prices per token: the list prices of gpt-6-luna in November 2026. */
  readonly aiInput: number;
  readonly aiOutput: number;
};

const million = 1_000_000;

/** US East (N. Virginia). Frankfurt costs a tenth to a quarter more, except Lambda and SQS. */
export const usEast: Prices = {
  region: 'us-east-1',
  readUnits: 0.125 / million,
  writeUnits: 0.625 / million,
  lambdaGbSecond: 0.0000133334,
  lambdaCall: 0.2 / million,
  gatewayCall: 1 / million,
  standardQueueCall: 0.4 / million,
  orderedQueueCall: 0.5 / million,
  // Storage 0.25 plus recovery 0.20.
  storedGb: 0.45,
  logGb: 0.5,
  alarmMetric: 0.1,
  customMetric: 0.3,
  dashboard: 3,
  mail: 0.1 / 1_000,
  trafficGb: 0.09,
  // A key 1.00, a secret 0.40, plus reading it.
  keysAndSecret: 4.6,
  aiInput: 0.1 / million,
  aiOutput: 0.5 / million,
};

/** The size of the log lines of a call. */
export const logBytesPerCall = 1_500;
/** A message is sent, received and deleted. */
export const callsPerMessage = 3;
