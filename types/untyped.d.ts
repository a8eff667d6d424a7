/** Declares the part of lc3codec that the project uses; the package has no type declarations. */
declare module 'lc3codec' {
  class LC3FrameDuration {
    private constructor()
    static readonly NMS_10000US: LC3FrameDuration
  }
  class LC3SampleRate {
    private constructor()
    static readonly FS_16000: LC3SampleRate
  }
  /** A flag for damaged frames, which remains set until it is cleared. */
  class LC3BEC {
    isMarked(): boolean
    clear(): void
  }
  class LC3Decoder {
    constructor(duration: LC3FrameDuration, rate: LC3SampleRate)
    /** Decodes a frame. For a damaged frame, sets `errors` and returns samples that conceal it. */
    decode(frame: Uint8Array, errors: LC3BEC, samples: Int16Array): Int16Array
  }
  export const Core: {
    readonly LC3FrameDuration: typeof LC3FrameDuration
    readonly LC3SampleRate: typeof LC3SampleRate
  }
  export const Decoder: { readonly LC3Decoder: typeof LC3Decoder; readonly LC3BEC: typeof LC3BEC }
}

// The parts of the package that browsers can load.

declare module 'lc3codec/lc3/common/fs.js' {
  const exports: { readonly LC3SampleRate: { readonly FS_16000: object } }
  export default exports
}

declare module 'lc3codec/lc3/common/nms.js' {
  const exports: { readonly LC3FrameDuration: { readonly NMS_10000US: object } }
  export default exports
}

declare module 'lc3codec/lc3/encoder/encoder.js' {
  class LC3Encoder {
    constructor(duration: object, rate: object)
    /** @param into buffer of at least `bytes` bytes */
    encode(samples: Int16Array, bytes: number, into: Uint8Array): Uint8Array
  }
  const exports: { readonly LC3Encoder: typeof LC3Encoder }
  export default exports
}

/** The part of `oidc-provider` that the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export default class Provider {
    readonly Grant: new (values: {
      accountId: string
      clientId: string
    }) => Grant
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    use(
      middleware: (
        context: {
          readonly path: string
          readonly headers: IncomingMessage['headers']
          status: number
          body: Record<string, unknown>
          readonly response: { get(header: string): string; set(header: string, value: string): void }
        },
        next: () => Promise<void>,
      ) => Promise<void>,
    ): void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: { readonly client_id: string } }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}

declare module 'postject' {
  /** Adds a resource to an executable file. */
  export function inject(
    file: string,
    name: string,
    content: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>
}

declare module 'spdx-expression-parse' {
  /** Parses an SPDX license expression. @throws {Error} if it is invalid */
  export default function parseExpression(text: string): unknown
}

declare module 'spdx-license-list/full.js' {
  const licenses: Readonly<Record<string, { readonly licenseText: string }>>
  export default licenses
}

/** The part of WebAssembly that the cloud uses: Node has it, but its types have not. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): { readonly module: string; readonly name: string }[]
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class Instance {
    readonly exports: object
    constructor(module: Module, imports: Readonly<Record<string, object>>)
  }
}
