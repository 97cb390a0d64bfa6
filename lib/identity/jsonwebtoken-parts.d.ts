/**
 * The library by its parts: every function checks tokens, and two or three sign them. Its own types
 * know the whole alone.
 */
declare module 'jsonwebtoken/decode.js' {
  import { decode } from 'jsonwebtoken';

  // biome-ignore lint/style/noDefaultExport: The library exports it so.
  export default decode;
}

declare module 'jsonwebtoken/sign.js' {
  import { sign } from 'jsonwebtoken';

  // biome-ignore lint/style/noDefaultExport: The library exports it so.
  export default sign;
}

declare module 'jsonwebtoken/verify.js' {
  import { verify } from 'jsonwebtoken';

  // biome-ignore lint/style/noDefaultExport: The library exports it so.
  export default verify;
}
