import { MAX_OUTPUTS, type OutputStatus, type RestreamOutput } from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import type { SessionContext } from '../part.ts'
import { OutputStatusPoller } from './output-status-poller.ts'
import { maskStreamKeys, type OutputUrl } from './output-url.ts'
import type { OutputReport, SessionStreaming, StreamingResult } from './port.ts'

/** An output that an app requests. */
export interface OutputRequest {
  readonly url: OutputUrl
  readonly name: string
}

/** Why an output cannot be inserted: a code of the error catalogue. */
export type OutputRejectionCode = 'MAX_OUTPUTS_REACHED' | 'MAX_APP_OUTPUTS_REACHED' | 'DUPLICATE_URL'

export const addOutputOutcome = Type.Union([
  Type.Object({ ok: Type.Literal(true), outputId: Type.String() }),
  Type.Object({
    ok: Type.Literal(false),
    code: Type.Enum([
      'MAX_OUTPUTS_REACHED',
      'MAX_APP_OUTPUTS_REACHED',
      'DUPLICATE_URL',
      'INVALID_URL',
      'STREAM_NOT_FOUND',
      'NOT_A_VIEWER',
      'STREAMING_PROVIDER_ERROR',
      'INTERNAL_ERROR',
    ]),
    /** Replaces the message of the catalogue. */
    message: Type.Optional(Type.String()),
  }),
])

/** The result of adding an output; the codes are in the error catalogue. */
export type AddOutputOutcome = Static<typeof addOutputOutcome>

export const removeOutputOutcome = Type.Union([
  Type.Object({ ok: Type.Literal(true) }),
  Type.Object({
    ok: Type.Literal(false),
    code: Type.Enum(['STREAM_NOT_FOUND', 'OUTPUT_NOT_FOUND', 'NOT_AUTHORIZED', 'STREAMING_PROVIDER_ERROR']),
  }),
])

/** The result of removing an output; the codes are in the error catalogue. */
export type RemoveOutputOutcome = Static<typeof removeOutputOutcome>

interface Output {
  readonly outputId: string
  readonly request: OutputRequest
  readonly addedBy: string
  /** Releases its place in the app's limit. */
  readonly release: () => void
  /** Whether apps can list it; before that it is only a reservation. */
  visible: boolean
  /** The output's id at the provider, once it was added there. */
  providerId: string | undefined
  status: OutputStatus
  error: string | null
  retries: number | undefined
  onAdded: ((outcome: AddOutputOutcome) => void) | undefined
  onRemoved: ((outcome: RemoveOutputOutcome) => void)[] | undefined
  isRemoved: boolean
}

/**
 * The outputs of a managed stream. Callers reserve places in the limit of the app first. The limit of the stream and
 * duplicates are checked and the output is inserted in one step, before the request to the provider, so that parallel
 * requests cannot exceed a limit together (decision M4).
 */
export class Outputs {
  readonly #context: SessionContext
  readonly #streaming: SessionStreaming
  readonly #changed: () => void
  readonly #poller: OutputStatusPoller
  /** By output id, oldest first. */
  readonly #outputs = new Map<string, Output>()
  #inputId: string | undefined
  #count = 0
  #ended = false

  /** @param changed called after the visible outputs changed */
  constructor(context: SessionContext, streaming: SessionStreaming, changed: () => void) {
    this.#context = context
    this.#streaming = streaming
    this.#changed = changed
    this.#poller = new OutputStatusPoller(context, streaming, {
      isPending: () =>
        this.#addedOutputs().some(({ status }) => status === 'connecting' || status === 'unknown'),
      hasOutputs: () => this.#addedOutputs().length > 0,
      onReport: (reports) => this.#updateStatuses(reports),
    })
  }

  /** Whether the stream has no room for this many more outputs. */
  isFullFor(count: number): boolean {
    return this.#outputs.size + count > MAX_OUTPUTS.perStream
  }

  /** The number of places that `addAll` needs: of different URLs that are not outputs of the app already. */
  countNew(packageName: string, requests: readonly OutputRequest[]): number {
    const added = requests.filter((request) => !this.#hasOutput(packageName, request))
    return new Set(added.map(({ url }) => url.canonical)).size
  }

  /**
   * Adds an output; calls `done` once the provider added or rejected it.
   * @param release releases the place that is reserved for it in the limit of the app
   */
  add(
    packageName: string,
    request: OutputRequest,
    release: () => void,
    done: (outcome: AddOutputOutcome) => void,
  ): void {
    const output = this.#insert(packageName, request, release)
    if (typeof output === 'string') return done({ ok: false, code: output })
    output.onAdded = done
    this.#addAtProvider(output)
  }

  /**
   * Adds the outputs that an app requests along with its stream: all of them or none. An output that the provider
   * rejects later remains visible with status `error` (STR-61).
   * @param releases release the places that are reserved for them, as many as `countNew`
   * @returns why none was added
   */
  addAll(
    packageName: string,
    requests: readonly OutputRequest[],
    releases: readonly (() => void)[],
  ): OutputRejectionCode | undefined {
    const places = [...releases]
    const inserted: Output[] = []
    const insert = (request: OutputRequest): OutputRejectionCode | undefined => {
      // An output of the app may have been removed since the places were reserved.
      const release = places.pop()
      const output = release ? this.#insert(packageName, request, release) : 'MAX_APP_OUTPUTS_REACHED'
      if (typeof output === 'string') return output
      inserted.push(output)
      return undefined
    }
    let rejection: OutputRejectionCode | undefined
    for (const request of requests) {
      if (!this.#hasOutput(packageName, request)) rejection ??= insert(request)
    }
    for (const release of places) release()
    if (rejection !== undefined) {
      for (const output of inserted) this.#drop(output)
      return rejection
    }
    for (const output of inserted) {
      output.visible = true
      this.#addAtProvider(output)
    }
    return undefined
  }

  /** Removes an output for the app that added it. It remains if the provider fails to remove it (OUT-14). */
  remove(packageName: string, outputId: string, done: (outcome: RemoveOutputOutcome) => void): void {
    const output = this.#outputs.get(outputId)
    if (!output?.visible) return done({ ok: false, code: 'OUTPUT_NOT_FOUND' })
    if (output.addedBy !== packageName) return done({ ok: false, code: 'NOT_AUTHORIZED' })
    if (output.onRemoved) return void output.onRemoved.push(done)
    output.onRemoved = [done]
    this.#removeAtProvider(output, (ok) => {
      if (ok) {
        this.#drop(output)
        return this.#changed()
      }
      const callbacks = output.onRemoved ?? []
      output.onRemoved = undefined
      for (const callback of callbacks) callback({ ok, code: 'STREAMING_PROVIDER_ERROR' })
    })
  }

  /** Removes the outputs of an app that left the stream, retrying until the provider succeeds (OUT-15). */
  removeAllOf(packageName: string): void {
    for (const output of [...this.#outputs.values()]) {
      if (output.addedBy !== packageName) continue
      this.#resolveAdded(output, { ok: false, code: 'NOT_A_VIEWER' })
      this.#removeWithRetries(output)
    }
  }

  /** Adds the outputs that were requested before the provider created the input. */
  inputCreated(inputId: string): void {
    this.#inputId = inputId
    this.#poller.start(inputId)
    for (const output of [...this.#outputs.values()]) this.#addAtProvider(output)
  }

  /** Lists the visible outputs, after a request to the provider if the last status is too old. */
  list(done: (outputs: RestreamOutput[]) => void): void {
    const respond = () => done(this.visible())
    if (this.#addedOutputs().length > 0) this.#poller.refresh(respond)
    else respond()
  }

  /** The outputs that apps can list, with their last known status. */
  visible(): RestreamOutput[] {
    return [...this.#outputs.values()]
      .filter(({ visible }) => visible)
      .map(({ outputId, request, addedBy, status, error, retries }) => ({
        outputId,
        url: request.url.masked,
        name: request.name,
        addedBy,
        status,
        error,
        ...(retries === undefined ? {} : { retries }),
      }))
  }

  /** Drops all outputs: the stream ended, and the provider removes them together with its input. */
  end(): void {
    this.#ended = true
    this.#poller.end()
    for (const output of [...this.#outputs.values()]) {
      this.#drop(output)
      this.#resolveAdded(output, { ok: false, code: 'STREAM_NOT_FOUND' })
    }
  }

  #insert(packageName: string, request: OutputRequest, release: () => void): Output | OutputRejectionCode {
    const rejection = this.#rejection(request)
    if (rejection) {
      release()
      return rejection
    }
    this.#count += 1
    const output: Output = {
      outputId: `o${this.#count}`,
      request,
      addedBy: packageName,
      release,
      visible: false,
      providerId: undefined,
      status: 'connecting',
      error: null,
      retries: undefined,
      onAdded: undefined,
      onRemoved: undefined,
      isRemoved: false,
    }
    this.#outputs.set(output.outputId, output)
    return output
  }

  #rejection({ url }: OutputRequest): OutputRejectionCode | undefined {
    if (this.isFullFor(1)) return 'MAX_OUTPUTS_REACHED'
    const isDuplicate = [...this.#outputs.values()].some(
      ({ request }) => request.url.canonical === url.canonical,
    )
    return isDuplicate ? 'DUPLICATE_URL' : undefined
  }

  /** Does nothing while the provider has not created the input; see `inputCreated`. */
  #addAtProvider(output: Output): void {
    const inputId = this.#inputId
    if (inputId === undefined) return
    this.#streaming.addOutput(inputId, output.request.url.full, (result) => {
      if (this.#ended) return
      if (result.ok) output.providerId = result.value
      if (output.isRemoved) return this.#removeWithRetries(output)
      if (result.ok) {
        output.visible = true
        this.#poller.restart()
      } else if (output.visible) {
        output.status = 'error'
        output.error = result.urlProblem ?? 'The streaming provider rejected the output'
      } else this.#drop(output)
      if (!result.ok) this.#context.log('stream_output_failed', { packageName: output.addedBy })
      this.#resolveAdded(output, outcomeOf(output, result))
      this.#changed()
    })
  }

  #removeAtProvider({ providerId }: Output, done: (ok: boolean) => void): void {
    if (this.#inputId === undefined || providerId === undefined) return done(true)
    this.#streaming.removeOutput(this.#inputId, providerId, ({ ok }) => {
      if (!this.#ended) done(ok)
    })
  }

  #removeWithRetries(output: Output): void {
    if (output.providerId === undefined) return this.#drop(output)
    const { clock, timing } = this.#context
    this.#removeAtProvider(output, (ok) => {
      if (!ok) return void clock.after(timing.outputRetryDelayMs, () => this.#removeWithRetries(output))
      this.#drop(output)
      this.#changed()
    })
  }

  #resolveAdded(output: Output, outcome: AddOutputOutcome): void {
    const { onAdded } = output
    output.onAdded = undefined
    onAdded?.(outcome)
  }

  #drop(output: Output): void {
    if (!output.isRemoved) output.release()
    output.isRemoved = true
    this.#outputs.delete(output.outputId)
    // The output is gone, which is what pending removals requested.
    const { onRemoved = [] } = output
    output.onRemoved = undefined
    for (const callback of onRemoved) callback({ ok: true })
  }

  #updateStatuses(reports: readonly OutputReport[] | undefined): void {
    const byId = new Map(reports?.map((report) => [report.outputId, report]))
    let changed = false
    for (const output of this.#addedOutputs()) {
      const report = byId.get(output.providerId ?? '')
      const status = report?.status ?? 'unknown'
      const error = report?.error ? maskStreamKeys(report.error) : null
      changed ||= output.status !== status || output.error !== error
      output.status = status
      output.error = error
      output.retries = report?.retries
    }
    if (changed) this.#changed()
  }

  #hasOutput(packageName: string, { url }: OutputRequest): boolean {
    return [...this.#outputs.values()].some(
      ({ addedBy, request }) => addedBy === packageName && request.url.canonical === url.canonical,
    )
  }

  /** The visible outputs that the provider added. */
  #addedOutputs(): Output[] {
    return [...this.#outputs.values()].filter(
      ({ visible, providerId }) => visible && providerId !== undefined,
    )
  }
}

function outcomeOf({ outputId }: Output, result: StreamingResult<string>): AddOutputOutcome {
  if (result.ok) return { ok: true, outputId }
  const { urlProblem: message } = result
  return message === undefined
    ? { ok: false, code: 'STREAMING_PROVIDER_ERROR' }
    : { ok: false, code: 'INVALID_URL', message }
}
