/** As much of Express as is measured here: its types are a package apart. */
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Request = IncomingMessage & { readonly body: unknown };
  type Response = ServerResponse & {
    readonly status: (code: number) => Response;
    readonly json: (body: unknown) => void;
  };
  type Handler = (request: Request, response: Response, next: () => void) => unknown;
  type Application = ((request: IncomingMessage, response: ServerResponse) => void) & {
    readonly use: (handler: Handler) => void;
    readonly post: (path: string, handler: Handler) => void;
  };

  function express(): Application;
  namespace express {
    function json(): Handler;
  }

  export = express;
}
