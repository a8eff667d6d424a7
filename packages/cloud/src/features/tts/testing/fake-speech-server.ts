import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The key the server takes. */
export const speechKey = 'a-key-of-the-speech-provider'

/** An answer that nobody takes for so long has stalled, in ms: one that is taken goes on at once. */
const stallMs = 200

/** What a request for speech meets. */
export type SpeechBehaviour =
  /** The whole sound of the text. */
  | 'speak'
  /** Sound without end. */
  | 'endless'
  /** The first sound, and the rest when `release` is called. */
  | 'hold'
  /** The first sound, and then the connection is gone. */
  | 'break'
  /** No answer at all. */
  | 'silent'
  /** An answer without sound. */
  | 'empty'
  /** A page of a proxy in the place of sound. */
  | 'page'
  /** A refusal with this status, in the provider's own form. */
  | number

/** A request for speech as it came. */
export interface SpokenRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Who removes what was made: a test, or a suite. */
interface Scope {
  after(undo: () => unknown): void
}

/**
 * A small server that speaks the documented protocols of the outside providers: ElevenLabs' streaming endpoint and
 * OpenAI's `/v1/audio/speech`. Wrong keys and bodies are refused as theirs are.
 */
export class FakeSpeechServer {
  readonly requests: SpokenRequest[] = []
  behaviour: SpeechBehaviour = 'speak'
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })
  readonly #events = new EventEmitter()
  readonly #open = new Set<ServerResponse>()

  readonly #openToAll: boolean

  private constructor(open: boolean) {
    this.#openToAll = open
    this.#events.setMaxListeners(0)
  }

  /** @param options.open it takes requests without a key, as servers of one's own do */
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

  /** Breaks off every answer under way. */
  cut(): void {
    for (const response of this.#open) response.destroy()
  }

  /** Goes on with what is held. */
  release(): void {
    this.#events.emit('release')
  }

  /** Waits until a request came that this server had not seen when it was called. */
  async asked(): Promise<void> {
    await this.#next('asked')
  }

  /** Waits until an answer cannot go on because nobody takes it. */
  async stalled(): Promise<void> {
    await this.#next('stalled')
  }

  /** Waits until no answer is under way any more. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await this.#next('closed')
  }

  async #next(event: string): Promise<void> {
    await once(this.#events, event, { signal: AbortSignal.timeout(5_000) })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response)
    response.on('close', () => {
      this.#open.delete(response)
      this.#events.emit('closed')
    })
    const { pathname } = new URL(request.url ?? '/', this.url)
    const eleven = /^\/v1\/text-to-speech\/([^/]+)\/stream$/.test(pathname)
    const presented =
      eleven || 'xi-api-key' in request.headers
        ? request.headers['xi-api-key']
        : request.headers.authorization?.replace(/^Bearer /, '')
    const refuse = (status: number, word: string) => {
      const reason = eleven
        ? { detail: { status: word, message: 'In words, perhaps with the text' } }
        : { error: { code: word, message: 'In words, perhaps with the text' } }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reason))
    }
    if (presented !== (this.#openToAll ? undefined : speechKey)) return refuse(401, 'invalid_api_key')
    if (request.method === 'GET' && pathname === '/v1/models') return void response.end('{"data":[]}')
    if (request.method !== 'POST' || (!eleven && pathname !== '/v1/audio/speech'))
      return refuse(404, 'not_found')
    const body = JSON.parse((await request.toArray()).join(''))
    this.requests.push({ path: pathname, body })
    this.#events.emit('asked')
    const text = eleven ? body.text : body.input
    const complete = eleven
      ? typeof body.model_id === 'string'
      : body.response_format === 'mp3' && body.voice && body.model
    if (typeof text !== 'string' || !complete) return refuse(422, 'invalid_request')
    await this.#answer(text, response, refuse)
  }

  async #answer(
    text: string,
    response: ServerResponse,
    refuse: (status: number, word: string) => void,
  ): Promise<void> {
    const { behaviour } = this
    if (typeof behaviour === 'number') return refuse(behaviour, 'quota_exceeded')
    if (behaviour === 'silent') return
    if (behaviour === 'page')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    if (behaviour === 'empty') return void response.end()
    const sound = soundOfFake(text)
    if (behaviour === 'speak') return void response.end(sound)
    response.write(sound.subarray(0, firstBytes))
    if (behaviour === 'break') return void response.write(' ', () => response.destroy())
    if (behaviour === 'hold') {
      await once(this.#events, 'release')
      return void response.end(sound.subarray(firstBytes))
    }
    const left = new AbortController()
    response.once('close', () => left.abort())
    while (!response.closed) {
      if (response.write(sound)) continue
      const stalled = setTimeout(() => this.#events.emit('stalled'), stallMs)
      await once(response, 'drain', { signal: left.signal }).catch(() => {})
      clearTimeout(stalled)
    }
  }
}

/** How much of a held sound comes at once. */
export const firstBytes = 417

/** The sound the server makes of a text: frames as MP3 has them, with the text in the first. */
export function soundOfFake(text: string): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  const first = Buffer.from(frame)
  first.write(text.slice(0, 300), 10)
  return Buffer.concat([first, ...new Array<Buffer>(20).fill(frame)])
}
