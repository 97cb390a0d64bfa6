/**
 * Types for the parts of jsonwebtoken that are imported separately. Its own types cover only the
 * whole package, which would add 11 KB to every function that verifies tokens but signs none. For
 * the same reason, bundles replace its dependency `semver` (scripts/build/package/bundled). See
 * docs/decisions/0053-libraries.md for the measurements.
 */
declare module 'jsonwebtoken/decode.js' {
  import { decode } from 'jsonwebtoken';

  export = decode;
}

declare module 'jsonwebtoken/sign.js' {
  import { sign } from 'jsonwebtoken';

  export = sign;
}

declare module 'jsonwebtoken/verify.js' {
  import { verify } from 'jsonwebtoken';

  export = verify;
}
