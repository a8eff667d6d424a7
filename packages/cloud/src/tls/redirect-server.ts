import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A response in plain HTTP. */
export interface PlainResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export interface RedirectServerOptions {
  readonly host: string
  /** `TLS_REDIRECT_PORT`. */
  readonly port: number
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** The port of HTTPS. */
  readonly httpsPort: () => number
  /** Whether the cloud serves a host name or address, so that requests for it stay there. */
  isOwnHost(host: string): boolean
  /** Answers what is served without encryption, such as challenges; undefined: the request is redirected. */
  answer(path: string): Promise<PlainResponse | undefined>
}

/** Requests are short: there is nothing to send but the address. */
const TIMEOUT_MS = 10_000

/** Further ones wait in the queue of the system. */
const MAX_CONNECTIONS = 1_000

const MAX_HEADER_BYTES = 16 * 1024

/** Redirects plain HTTP to HTTPS, and answers the few requests that must be answered without encryption. */
export class RedirectServer {
  readonly #options: RedirectServerOptions
  readonly #server: Server

  private constructor(options: RedirectServerOptions) {
    this.#options = options
    this.#server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: TIMEOUT_MS,
        requestTimeout: TIMEOUT_MS,
        connectionsCheckingInterval: TIMEOUT_MS / 2,
      },
      (request, response) => {
        this.#respond(request, response).catch(() => response.destroy())
      },
    )
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#server.setTimeout(TIMEOUT_MS)
    // A WebSocket client gets an error instead of a socket without encryption.
    this.#server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
    )
  }

  /** Starts to listen. @throws Error with a message for the operator if the port is not available */
  static async listen(options: RedirectServerOptions): Promise<RedirectServer> {
    const { host, port } = options
    const redirect = new RedirectServer(options)
    redirect.#server.listen({ host, port })
    try {
      await once(redirect.#server, 'listening')
    } catch (cause) {
      const messages: Record<string, string> = {
        EADDRINUSE: `Port ${port} is in use; set TLS_REDIRECT_PORT to a free one, or to 0.`,
        EACCES: `This account may not use port ${port}; set TLS_REDIRECT_PORT to a number above 1023, or to 0.`,
      }
      const message = messages[(cause as NodeJS.ErrnoException).code ?? '']
      throw message === undefined ? cause : new Error(message, { cause })
    }
    return redirect
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume()
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const answer = isRead ? await this.#options.answer(path) : undefined
    const common = { connection: 'close', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    if (answer === undefined) {
      const location = this.#locationOf(request)
      // 308 keeps the method and the body.
      response.writeHead(isRead ? 301 : 308, { ...common, location, 'content-length': 0 }).end()
      return
    }
    const { status, contentType, body, headers } = answer
    const length = Buffer.byteLength(body)
    response.writeHead(status, {
      ...common,
      ...headers,
      'content-type': contentType,
      'content-length': length,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  /** Returns the same address with HTTPS; of a foreign or missing host, that of the cloud. */
  #locationOf({ url, headers }: IncomingMessage): string {
    const { publicUrl, httpsPort, isOwnHost } = this.#options
    const target = new URL(publicUrl().origin)
    const requested = URL.parse(`http://${headers.host ?? ''}`)?.hostname
    if (requested !== undefined && requested !== target.hostname && isOwnHost(requested)) {
      target.hostname = requested
      target.port = String(httpsPort())
    }
    // Only a path: the request target of a proxy request names a host.
    const path = url?.startsWith('/') === true ? url : '/'
    return `${target.origin}${path}`
  }
}
