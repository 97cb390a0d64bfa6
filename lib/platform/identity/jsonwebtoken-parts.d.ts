/**
 * Types for separate parts of the library. All functions verify tokens but only a few sign them, so
 * bundles import parts. The library's own types cover only the whole package.
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
