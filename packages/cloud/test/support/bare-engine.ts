import { EventEmitter, once } from 'node:events'
import { type Context, createContext, runInContext } from 'node:vm'
import type { Scope } from './scope.ts'

/** Deadline of every wait. */
const DEADLINE_MS = 30_000

/**
 * A JavaScript engine as mini apps have it: the language, and the few functions of its host. It neither evaluates text nor
 * has `URL`, `AbortController`, forms or events.
 */
export class BareEngine {
  /** What was logged, as the values of lines of JSON. */
  readonly logged: [what: string, value: unknown][] = []
  readonly #context: Context
  readonly #arrivals = new EventEmitter().setMaxListeners(0)
  readonly #timers = new Map<number, NodeJS.Timeout>()
  #timerCount = 0

  /**
   * @param storage the content of `localStorage`
   * @param functions further functions of the host
   */
  constructor(scope: Scope, storage: Map<string, string>, functions: Readonly<Record<string, unknown>> = {}) {
    const keep = (timer: NodeJS.Timeout) => {
      this.#timerCount += 1
      this.#timers.set(this.#timerCount, timer)
      return this.#timerCount
    }
    const clear = (id: number | undefined) => {
      clearTimeout(this.#timers.get(id ?? 0))
      this.#timers.delete(id ?? 0)
    }
    scope.after(() => {
      for (const id of this.#timers.keys()) clear(id)
    })
    const host = {
      console: { log: (line: string) => this.#log(line) },
      setTimeout: (run: () => void, ms: number) => keep(setTimeout(run, ms)),
      setInterval: (run: () => void, ms: number) => keep(setInterval(run, ms)),
      clearTimeout: clear,
      clearInterval: clear,
      fetch: fetchText,
      WebSocket: BareWebSocket,
      localStorage: {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, value: string) => void storage.set(key, value),
      },
      crypto: { getRandomValues: crypto.getRandomValues.bind(crypto) },
      TextEncoder,
      TextDecoder,
      ...functions,
    }
    this.#context = createContext(host, { codeGeneration: { strings: false, wasm: false } })
  }

  /** Runs a script. @returns its last value */
  run(script: string): unknown {
    return runInContext(script, this.#context)
  }

  /** Waits until a value was logged that fits, including earlier ones. */
  async waitFor(what: string, fits: (value: unknown) => boolean = () => true): Promise<void> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    while (!this.logged.some(([name, value]) => name === what && fits(value)))
      await once(this.#arrivals, 'line', { signal }).catch((cause) => {
        throw new Error(`nothing of ${JSON.stringify(this.logged.slice(-10))} is the ${what}`, { cause })
      })
  }

  #log(line: string): void {
    this.logged.push(JSON.parse(line))
    this.#arrivals.emit('line')
  }
}

/** `fetch` with texts only; it rejects what a host of mini apps does not understand. */
async function fetchText(url: unknown, init: Record<string, unknown> = {}) {
  const { method = 'GET', headers = {}, body, ...unknown } = init
  if (typeof url !== 'string' || Object.keys(unknown).length > 0) throw new TypeError('unknown options')
  if (body !== undefined && typeof body !== 'string') throw new TypeError('the body is not a text')
  const response = await fetch(url, { method: String(method), headers: { ...(headers as object) }, body })
  const { ok, status } = response
  return { ok, status, text: () => response.text() }
}

/** A socket without headers and events other than these four. */
class BareWebSocket {
  static readonly OPEN = 1
  onopen?: () => void
  onmessage?: (event: { readonly data: unknown }) => void
  onerror?: () => void
  onclose?: (event: { readonly code: number; readonly reason: string }) => void
  binaryType = 'arraybuffer'
  readonly #socket: WebSocket

  constructor(url: string, protocols: readonly string[] = []) {
    this.#socket = new WebSocket(url, [...protocols])
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onopen = () => this.onopen?.()
    this.#socket.onmessage = ({ data }) => this.onmessage?.({ data })
    this.#socket.onerror = () => this.onerror?.()
    this.#socket.onclose = ({ code, reason }) => this.onclose?.({ code, reason })
  }

  get readyState(): number {
    return this.#socket.readyState
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data)
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code, reason)
  }
}
