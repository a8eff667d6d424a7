import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A request to the API of a provider. */
export interface ApiCall {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body: unknown
  readonly authorization: string | undefined
}

/** What the API responds; a string is sent verbatim. */
export interface ApiAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A fault of the API: an answer in place of the real one, or what happens to the connection. */
export type ApiFault =
  | { readonly answer: ApiAnswer }
  /** The connection is lost before (`false`) or after (`true`) the request took effect. */
  | { readonly loses: 'connection'; readonly afterEffect: boolean }
  /** No response at all. */
  | { readonly loses: 'response' }

/** An HTTP server that speaks the API of a streaming provider, with faults. */
export class FakeApiServer {
  readonly calls: ApiCall[] = []
  /** Faults of the next requests, in order. */
  readonly faults: ApiFault[] = []
  readonly url: string
  readonly #handle: (call: ApiCall) => ApiAnswer

  private constructor(url: string, handle: (call: ApiCall) => ApiAnswer) {
    this.url = url
    this.#handle = handle
  }

  static async start(
    t: Pick<TestContext, 'after'>,
    handle: (call: ApiCall) => ApiAnswer,
  ): Promise<FakeApiServer> {
    const server = createServer((request, response) => void fake.#respond(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const fake = new FakeApiServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, handle)
    return fake
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const call: ApiCall = {
      method: String(request.method),
      path: String(request.url),
      body: text === '' ? undefined : JSON.parse(text),
      authorization: request.headers.authorization,
    }
    this.calls.push(call)
    const fault = this.faults.shift()
    if (fault && 'answer' in fault) return this.#send(response, fault.answer)
    if (fault?.loses === 'response') return
    if (fault?.loses === 'connection') {
      if (fault.afterEffect) this.#handle(call)
      return void request.socket.destroy()
    }
    this.#send(response, this.#handle(call))
  }

  #send(response: ServerResponse, { status, body, headers }: ApiAnswer): void {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))
  }
}
