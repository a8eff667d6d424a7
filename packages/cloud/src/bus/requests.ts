import { deserialize, serialize } from 'node:v8'
import { createValidator } from '@glasses-cloud/contract'
import type { Static, TSchema } from 'typebox'
import type { Clock, Timer } from '../time/index.ts'
import { readTraceParent, type TraceParent, type Tracing } from '../tracing/index.ts'
import {
  BUS_ERROR_CODES,
  type Bus,
  BusError,
  type BusErrorCode,
  FRAME_KINDS,
  type FrameKind,
  type RequestHandler,
  UnsupportedRequest,
} from './bus.ts'

/** Requests that one node may have pending, and requests of others that it handles at the same time. */
const MAX_PENDING = 5_000

export interface RequestsDeps {
  readonly clock: Clock
  readonly tracing: Tracing
  send(nodeId: string, kind: FrameKind, payload: Uint8Array): void
}

interface Pending {
  readonly nodeId: string
  readonly timer: Timer
  resolve(value: unknown): void
  reject(error: BusError): void
}

/** `[id, method, argument]`, and the span of the sender if traces are recorded. */
type Request = readonly [number, string, unknown, TraceParent?]
/** `[id, value]`, or `[id, undefined, code, message]` of an error. */
type Response = readonly [number, unknown, BusErrorCode?, string?]

/** Requests between nodes, with deadlines. */
export class Requests {
  readonly #deps: RequestsDeps
  readonly #handlers = new Map<string, RequestHandler>()
  readonly #pending = new Map<number, Pending>()
  #handling = 0
  #lastId = 0

  constructor(deps: RequestsDeps) {
    this.#deps = deps
  }

  handle(method: string, handler: RequestHandler): void {
    if (this.#handlers.has(method)) throw new Error(`${method} already has a handler`)
    this.#handlers.set(method, handler)
  }

  async request(nodeId: string, method: string, argument: unknown, timeoutMs: number): Promise<unknown> {
    const { tracing } = this.#deps
    // Requests that nobody traces, such as those of jobs, begin no trace.
    if (tracing.current() === undefined) return this.#request(nodeId, method, argument, timeoutMs)
    const attributes = { 'node.method': method }
    return tracing.run('node.request', { kind: 'client', attributes }, () =>
      this.#request(nodeId, method, argument, timeoutMs),
    )
  }

  #request(nodeId: string, method: string, argument: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#pending.size >= MAX_PENDING)
      return Promise.reject(new BusError('OVERLOADED', 'Too many requests to other nodes are pending'))
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = this.#deps.clock.after(timeoutMs, () => {
        this.#pending.delete(id)
        reject(new BusError('TIMEOUT', `The other node did not respond to ${method} in time`))
      })
      this.#pending.set(id, { nodeId, timer, resolve, reject })
      const context = this.#deps.tracing.current()
      const request: Request =
        context === undefined ? [id, method, argument] : [id, method, argument, context]
      this.#deps.send(nodeId, FRAME_KINDS.request, serialize(request))
    })
  }

  receiveRequest(from: string, payload: Buffer): void {
    const message: unknown = deserialize(payload)
    if (!isRequest(message)) throw new Error('A request of another node is invalid')
    const [id, method, argument, given] = message
    const respond = (...response: Response) =>
      this.#deps.send(from, FRAME_KINDS.response, serialize(response satisfies Response))
    const handler = this.#handlers.get(method)
    if (!handler) return respond(id, undefined, 'UNSUPPORTED', `This node does not handle ${method}`)
    if (this.#handling >= MAX_PENDING)
      return respond(id, undefined, 'OVERLOADED', 'The other node handles too many requests')
    this.#handling += 1
    const parent = readTraceParent(given)
    const handle = async () => handler(argument, from)
    const run = () =>
      parent === undefined
        ? handle()
        : this.#deps.tracing.run(
            'node.handle',
            { kind: 'server', parent, attributes: { 'node.method': method } },
            handle,
          )
    run()
      .then(
        (value) => respond(id, value),
        (error: unknown) => respond(id, undefined, codeOf(error), messageOf(error)),
      )
      // A value that cannot be serialized is an error of the handler too.
      .catch((error: unknown) => respond(id, undefined, 'FAILED', messageOf(error)))
      .finally(() => {
        this.#handling -= 1
      })
  }

  receiveResponse(payload: Buffer): void {
    const received: unknown = deserialize(payload)
    if (!isResponse(received)) throw new Error('A response of another node is invalid')
    const [id, value, code, message = ''] = received
    const pending = this.#take(id)
    if (code === undefined) pending?.resolve(value)
    else pending?.reject(new BusError(code, message))
  }

  /** Rejects the pending requests to a node, or all. */
  fail(error: BusError, nodeId?: string): void {
    for (const [id, pending] of [...this.#pending]) {
      if (nodeId === undefined || pending.nodeId === nodeId) this.#take(id)?.reject(error)
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    pending?.timer.cancel()
    this.#pending.delete(id)
    return pending
  }
}

/** Of the errors of other requests, which the handler may have made, nothing follows for this one. */
function codeOf(error: unknown): BusErrorCode {
  return error instanceof UnsupportedRequest ? 'UNSUPPORTED' : 'FAILED'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Later versions may send more, which this one ignores (UPG-12). */
function isRequest(value: unknown): value is Request {
  return (
    Array.isArray(value) &&
    value.length >= 3 &&
    Number.isSafeInteger(value[0]) &&
    typeof value[1] === 'string'
  )
}

function isResponse(value: unknown): value is Response {
  if (!Array.isArray(value) || !Number.isSafeInteger(value[0])) return false
  if (value[2] === undefined) return value.length >= 2
  return value.length >= 4 && BUS_ERROR_CODES.includes(value[2]) && typeof value[3] === 'string'
}

/** A request from one node to another. Nodes of two versions run side by side while a cluster is upgraded. */
export interface NodeCall<Argument, Result> {
  /** @throws BusError, with the code UNSUPPORTED if one of the nodes does not know the other's form of the request */
  send(bus: Pick<Bus, 'request'>, nodeId: string, argument: Argument, timeoutMs?: number): Promise<Result>
  /** Sets the handler of the request on this node. */
  handle(bus: Bus, handler: (argument: Argument, from: string) => Result | Promise<Result>): void
}

interface NodeCallOptions<Argument extends TSchema, Result extends TSchema> {
  /** Unique. A change that nodes of the previous version would misread gets a new name. */
  readonly name: string
  readonly argument: Argument
  readonly result: Result
  readonly timeoutMs: number
}

/** Declares a request between nodes. Its argument and its result are checked where they are received. */
export function nodeCall<Argument extends TSchema, Result extends TSchema>({
  name,
  argument: argumentSchema,
  result: resultSchema,
  timeoutMs: defaultTimeoutMs,
}: NodeCallOptions<Argument, Result>): NodeCall<Static<Argument>, Static<Result>> {
  const arguments_ = createValidator(argumentSchema)
  const results = createValidator(resultSchema)
  return {
    async send(bus, nodeId, argument, timeoutMs = defaultTimeoutMs) {
      const result = await bus.request(nodeId, name, argument, timeoutMs)
      if (results.Check(result)) return result
      throw new BusError('UNSUPPORTED', `The other node answered ${name} in a form of another version`)
    },
    handle(bus, handler) {
      bus.handle(name, (argument, from) => {
        if (arguments_.Check(argument)) return handler(argument, from)
        throw new UnsupportedRequest(`This node does not know this form of ${name}`)
      })
    },
  }
}
