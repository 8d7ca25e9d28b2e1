/** The part of busboy that padron uses. It has no types of its own. */
declare module 'busboy' {
  import type { IncomingHttpHeaders } from 'node:http';
  import type { Writable } from 'node:stream';

  interface Parser extends Writable {
    on(event: 'field', listener: (name: string, value: string) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  function busboy(options: {
    readonly headers: IncomingHttpHeaders;
    readonly defParamCharset: string;
    readonly limits: { readonly fieldSize: number; readonly fields: number };
  }): Parser;

  export = busboy;
}
