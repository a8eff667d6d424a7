/** What happened, as spans are named. Bounded: no name contains an id. */
export type SpanName =
  | 'http.request'
  | 'node.request'
  | 'node.handle'
  | 'app.start'
  | 'app.attach'
  | 'app.running'
  | 'webhook'
  | 'utterance'
  | 'utterance.recognize'
  | 'utterance.deliver'
  | 'photo.request'
  | 'photo.upload'
  | 'socket.deliver'

/** The only attributes that spans have: nothing that a user said, took, wrote or is called. */
export const ATTRIBUTES = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'app.package_name',
  'node.method',
  'webhook.kind',
  'speech.provider',
  'speech.audio_ms',
] as const

export type Attributes = Readonly<Partial<Record<(typeof ATTRIBUTES)[number], string | number>>>

/** Where a span belongs: a `traceparent` of W3C Trace Context. */
export type TraceParent = string

export interface SpanOptions {
  readonly kind?: 'internal' | 'server' | 'client'
  readonly attributes?: Attributes
  /** The span to which it belongs; by default the current one, or none, which begins a trace. */
  readonly parent?: TraceParent | undefined
  /** Epoch milliseconds; now by default. */
  readonly startTime?: number
}

/** A part of a trace, with a beginning and an end. */
export interface Span {
  /** Undefined without tracing. */
  readonly context: TraceParent | undefined
  set(attributes: Attributes): void
  /** Ends the span. @param error the type of the error, never its message */
  end(error?: string): void
}

/** Records what one start, one utterance or one photo causes, on all nodes. */
export interface Tracing {
  readonly isOn: boolean
  /** The span in which the code runs, also one of a trace that is not recorded. */
  current(): TraceParent | undefined
  /** Starts a span, which the caller ends. */
  start(name: SpanName, options?: SpanOptions): Span
  /** Runs a task as part of a trace; what it starts belongs to the trace, too. */
  within<Result>(context: TraceParent | undefined, task: () => Result): Result
  /** Runs a task in a span, which ends with it. */
  run<Result>(name: SpanName, options: SpanOptions, task: () => Promise<Result>): Promise<Result>
  /** Sends what is recorded, for at most two seconds, and stops. Never throws. */
  close(): Promise<void>
}

const NO_SPAN: Span = { context: undefined, set() {}, end() {} }

/** Records nothing. */
export const NO_TRACING: Tracing = {
  isOn: false,
  current: () => undefined,
  start: () => NO_SPAN,
  within: (_, task) => task(),
  run: (_, __, task) => task(),
  close: async () => {},
}
