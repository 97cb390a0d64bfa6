/**
 * The library by its parts: every function checks tokens, and two or three sign them. Its own types
 * know the whole alone.
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
