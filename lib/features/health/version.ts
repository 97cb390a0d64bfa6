/** The version of the running application, as in `package.json`. */
export const version = '0.1.0';
