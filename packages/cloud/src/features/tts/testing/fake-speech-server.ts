import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The API key that the server accepts. */
export const speechKey = 'a-key-of-the-speech-provider'

/** The documented limit of OpenAI. */
const MAX_OPENAI_CHARACTERS = 4_096

/** Time in ms without a read after which a response is stalled. */
const STALL_MS = 200

/** How the server responds to speech requests. */
export type SpeechBehavior =
  /** Sends the complete audio. */
  | 'speak'
  /** Sends audio without end. */
  | 'endless'
  /** Sends the first audio, and the rest when `release` is called. */
  | 'hold'
  /** Sends the first audio, then closes the connection. */
  | 'break'
  /** Sends no response. */
  | 'silent'
  /** Sends a response without audio. */
  | 'empty'
  /** Sends an HTML page, as a proxy does. */
  | 'page'
  /** Sends an error with this status, in the format of the provider. */
  | number

export interface ReceivedRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The test or suite that owns the server. */
interface Scope {
  after(cleanUp: () => unknown): void
}

/**
 * A server with the documented endpoints of the providers: the streaming endpoint of ElevenLabs and `/v1/audio/speech` of
 * OpenAI. Rejects invalid keys and bodies as the providers do.
 */
export class FakeSpeechServer {
  readonly requests: ReceivedRequest[] = []
  behavior: SpeechBehavior = 'speak'
  /** Declared for audio. */
  contentType = 'audio/mpeg'
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })
  readonly #events = new EventEmitter()
  readonly #open = new Set<ServerResponse>()

  readonly #needsNoKey: boolean

  private constructor(open: boolean) {
    this.#needsNoKey = open
    this.#events.setMaxListeners(0)
  }

  /** @param options.open accept requests without a key, as self-hosted servers do */
  static async start(scope: Scope, { open = false } = {}): Promise<FakeSpeechServer> {
    const fake = new FakeSpeechServer(open)
    fake.#server.listen(0, '127.0.0.1')
    await once(fake.#server, 'listening')
    scope.after(async () => {
      fake.#server.closeAllConnections()
      await new Promise((resolve) => fake.#server.close(resolve))
    })
    return fake
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Closes the connections of all pending responses. */
  closeResponses(): void {
    for (const response of this.#open) response.destroy()
  }

  /** Sends the rest of the responses that wait (`hold`). */
  release(): void {
    this.#events.emit('release')
  }

  /** Resolves when the server receives the next request. */
  async requestReceived(): Promise<void> {
    await this.#next('request')
  }

  /** Resolves when a response waits for its reader. */
  async stalled(): Promise<void> {
    await this.#next('stalled')
  }

  /** Resolves when no response is pending. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await this.#next('closed')
  }

  async #next(event: string): Promise<void> {
    await once(this.#events, event, { signal: AbortSignal.timeout(20_000) })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response)
    response.on('close', () => {
      this.#open.delete(response)
      this.#events.emit('closed')
    })
    const { pathname } = new URL(request.url ?? '/', this.url)
    const eleven = /^\/v1\/text-to-speech\/([^/]+)\/stream$/.test(pathname)
    const apiKey =
      eleven || 'xi-api-key' in request.headers
        ? request.headers['xi-api-key']
        : request.headers.authorization?.replace(/^Bearer /, '')
    const reject = (status: number, code: string) => {
      const reason = eleven
        ? { detail: { status: code, message: 'A message that may contain the text' } }
        : { error: { code, message: 'A message that may contain the text' } }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reason))
    }
    if (apiKey !== (this.#needsNoKey ? undefined : speechKey)) return reject(401, 'invalid_api_key')
    if (request.method === 'GET' && pathname === '/v1/models') return void response.end('{"data":[]}')
    if (request.method !== 'POST' || (!eleven && pathname !== '/v1/audio/speech'))
      return reject(404, 'not_found')
    const body = JSON.parse((await request.toArray()).join(''))
    this.requests.push({ path: pathname, body })
    this.#events.emit('request')
    const text = eleven ? body.text : body.input
    const complete = eleven
      ? typeof body.model_id === 'string'
      : body.response_format === 'mp3' && body.voice && body.model
    if (typeof text !== 'string' || !complete) return reject(422, 'invalid_request')
    if (!eleven && text.length > MAX_OPENAI_CHARACTERS) return reject(400, 'string_above_max_length')
    await this.#respond(text, response, reject)
  }

  async #respond(
    text: string,
    response: ServerResponse,
    reject: (status: number, code: string) => void,
  ): Promise<void> {
    const { behavior } = this
    if (typeof behavior === 'number') return reject(behavior, 'quota_exceeded')
    if (behavior === 'silent') return
    if (behavior === 'page')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    response.writeHead(200, { 'content-type': this.contentType })
    if (behavior === 'empty') return void response.end()
    const audio = fakeAudio(text)
    if (behavior === 'speak') return void response.end(audio)
    response.write(audio.subarray(0, FIRST_CHUNK_BYTES))
    if (behavior === 'break') return void response.write(' ', () => response.destroy())
    if (behavior === 'hold') {
      await once(this.#events, 'release')
      return void response.end(audio.subarray(FIRST_CHUNK_BYTES))
    }
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    while (!response.closed) {
      if (response.write(audio)) continue
      const stalled = setTimeout(() => this.#events.emit('stalled'), STALL_MS)
      await once(response, 'drain', { signal: closed.signal }).catch(() => {})
      clearTimeout(stalled)
    }
  }
}

/** Bytes that a response with `hold` or `break` sends first. */
export const FIRST_CHUNK_BYTES = 417

/** Returns the audio of a text: MP3 frames, the first of which contains the text. */
export function fakeAudio(text: string): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  const first = Buffer.from(frame)
  first.write(text.slice(0, 300), 10)
  return Buffer.concat([first, ...new Array<Buffer>(20).fill(frame)])
}
