/**
 * How long tests wait for another process or a socket. Only a test that hangs reaches this limit,
 * however busy the machine is. It is the default of `expect.poll`.
 */
export const patiently = { timeout: 240_000, interval: 20 } as const;
