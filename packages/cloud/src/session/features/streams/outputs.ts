import { MAX_OUTPUTS, type OutputStatus, type RestreamOutput } from '@glasses-cloud/contract'
import type { SessionContext } from '../feature.ts'
import { OutputStatusPoller } from './output-status-poller.ts'
import { maskStreamKeys, type OutputUrl } from './output-url.ts'
import type { OutputReport, SessionStreaming } from './port.ts'

/** An output that an app requests. */
export interface OutputRequest {
  readonly url: OutputUrl
  readonly name: string
}

/** Why an output cannot be reserved: a code of the error catalogue. */
export type OutputRejectionCode = 'MAX_OUTPUTS_REACHED' | 'MAX_APP_OUTPUTS_REACHED' | 'DUPLICATE_URL'

/** The result of adding an output; the codes are in the error catalogue. */
export type AddOutputOutcome =
  | { readonly ok: true; readonly outputId: string }
  | {
      readonly ok: false
      readonly code:
        | OutputRejectionCode
        | 'INVALID_URL'
        | 'STREAM_NOT_FOUND'
        | 'NOT_A_VIEWER'
        | 'STREAMING_PROVIDER_ERROR'
    }

/** The result of removing an output; the codes are in the error catalogue. */
export type RemoveOutputOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly code: 'STREAM_NOT_FOUND' | 'OUTPUT_NOT_FOUND' | 'NOT_AUTHORIZED' | 'STREAMING_PROVIDER_ERROR'
    }

interface Output {
  readonly outputId: string
  readonly request: OutputRequest
  readonly addedBy: string
  /** Releases the reservation in the app's limit. */
  readonly release: () => void
  /** Whether apps can list it; before that it is only a reservation. */
  visible: boolean
  /** The output's id at the provider, once it was added there. */
  providerId: string | undefined
  status: OutputStatus
  error: string | null
  onAdded: ((outcome: AddOutputOutcome) => void) | undefined
  onRemoved: ((outcome: RemoveOutputOutcome) => void)[] | undefined
  isRemoved: boolean
}

/**
 * The outputs of a managed stream. Limits and duplicates are checked and a place is reserved in one step, before the
 * request to the provider, so that parallel requests cannot exceed a limit together (decision M4).
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
      onReport: (reports) => this.#updateStatuses(reports),
    })
  }

  /** Adds an output; calls `done` once the provider added or rejected it. */
  add(packageName: string, request: OutputRequest, done: (outcome: AddOutputOutcome) => void): void {
    const output = this.#reserve(packageName, request)
    if (typeof output === 'string') return done({ ok: false, code: output })
    output.onAdded = done
    this.#addAtProvider(output)
  }

  /**
   * Adds the outputs that an app requests along with its stream: all of them or none. An output that the provider
   * rejects later remains visible with status `error` (STR-61).
   * @returns why none was added
   */
  addAll(packageName: string, requests: readonly OutputRequest[]): OutputRejectionCode | undefined {
    const reserved: Output[] = []
    for (const request of requests) {
      if (this.#hasOutput(packageName, request)) continue
      const output = this.#reserve(packageName, request)
      if (typeof output === 'string') {
        for (const other of reserved) this.#drop(other)
        return output
      }
      reserved.push(output)
    }
    for (const output of reserved) {
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
      .map(({ outputId, request, addedBy, status, error }) => ({
        outputId,
        url: request.url.masked,
        name: request.name,
        addedBy,
        status,
        error,
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

  #reserve(packageName: string, request: OutputRequest): Output | OutputRejectionCode {
    const all = [...this.#outputs.values()]
    if (all.length >= MAX_OUTPUTS.perStream) return 'MAX_OUTPUTS_REACHED'
    const release = this.#streaming.reserveOutput(packageName)
    if (!release) return 'MAX_APP_OUTPUTS_REACHED'
    if (all.some((other) => other.request.url.canonical === request.url.canonical)) {
      release()
      return 'DUPLICATE_URL'
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
      onAdded: undefined,
      onRemoved: undefined,
      isRemoved: false,
    }
    this.#outputs.set(output.outputId, output)
    return output
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
        output.error = 'The streaming provider rejected the output'
      } else this.#drop(output)
      if (!result.ok) this.#context.log('stream_output_failed', { packageName: output.addedBy })
      this.#resolveAdded(
        output,
        result.ok ? { ok: true, outputId: output.outputId } : { ok: false, code: 'STREAMING_PROVIDER_ERROR' },
      )
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
