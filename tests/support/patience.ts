/**
 * How long tests poll for what another process or a socket brings about. Only a test that hangs
 * reaches this limit, however busy the machine is. `expect.poll` has it by default.
 */
export const patiently = { timeout: 240_000, interval: 20 } as const;
