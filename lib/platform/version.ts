import project from '../../package.json' with { type: 'json' };

/** The version of the running application. */
export const version: string = project.version;
