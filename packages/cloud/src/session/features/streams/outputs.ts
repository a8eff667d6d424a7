import { maxOutputs, type OutputStatus, type RestreamOutput } from '@glasses-cloud/contract'
import type { SessionContext } from '../feature.ts'
import { OutputStatusPoller } from './output-status-poller.ts'
import { maskStreamKeys, type OutputUrl } from './output-url.ts'
import type { OutputReport, SessionStreaming } from './port.ts'

/** An output that an app wants. */
export interface OutputRequest {
  readonly url: OutputUrl
  readonly name: string
}

/** Why an output cannot be reserved. */
export type OutputRejectionCode = 'MAX_OUTPUTS_REACHED' | 'MAX_APP_OUTPUTS_REACHED' | 'DUPLICATE_URL'

/** How adding an output ended; the refusals are codes of the error catalogue. */
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

/** How removing an output ended; the refusals are codes of the error catalogue. */
export type RemoveOutputOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly code: 'STREAM_NOT_FOUND' | 'OUTPUT_NOT_FOUND' | 'NOT_AUTHORIZED' | 'STREAMING_PROVIDER_ERROR'
    }

interface Output {
  readonly outputId: string
  readonly wish: OutputRequest
  readonly addedBy: string
  /** Gives the place in the app's limit back. */
  readonly release: () => void
  /** Shown to apps; until then it only holds its place. */
  shown: boolean
  /** The provider's name for it, once it has one. */
  atProvider: string | undefined
  status: OutputStatus
  error: string | null
  /** Waits to hear whether it was added. */
  adding: ((outcome: AddOutputOutcome) => void) | undefined
  /** Wait to hear whether it was removed. */
  removing: ((outcome: RemoveOutputOutcome) => void)[] | undefined
  gone: boolean
}

/**
 * The further addresses that a managed stream is sent on to. A place is taken, limits and duplicates checked, in
 * one step, before the provider is asked; so requests at the same time cannot pass a limit together (decision M4).
 */
export class Outputs {
  readonly #context: SessionContext
  readonly #streaming: SessionStreaming
  readonly #changed: () => void
  readonly #watch: OutputStatusPoller
  /** In the order of asking. */
  readonly #outputs = new Map<string, Output>()
  #inputId: string | undefined
  #count = 0
  #ended = false

  /** @param changed what apps are shown has changed */
  constructor(context: SessionContext, streaming: SessionStreaming, changed: () => void) {
    this.#context = context
    this.#streaming = streaming
    this.#changed = changed
    this.#watch = new OutputStatusPoller(context, streaming, {
      isPending: () =>
        this.#atProvider().some(({ status }) => status === 'connecting' || status === 'unknown'),
      reported: (reports) => this.#reported(reports),
    })
  }

  /** Adds an output; `done` is told when the provider has it, or why it has not. */
  add(packageName: string, wish: OutputRequest, done: (outcome: AddOutputOutcome) => void): void {
    const output = this.#reserve(packageName, wish)
    if (typeof output === 'string') return done({ ok: false, code: output })
    output.adding = done
    this.#attach(output)
  }

  /**
   * Adds the outputs an app wants along with its stream: all of them, or none. One that the provider does not take
   * stays, in error, for the app to see.
   * @returns why there is none
   */
  addAll(packageName: string, wishes: readonly OutputRequest[]): OutputRejectionCode | undefined {
    const reserved: Output[] = []
    for (const wish of wishes) {
      if (this.#has(packageName, wish)) continue
      const output = this.#reserve(packageName, wish)
      if (typeof output === 'string') {
        for (const other of reserved) this.#drop(other)
        return output
      }
      reserved.push(output)
    }
    for (const output of reserved) {
      output.shown = true
      this.#attach(output)
    }
    return undefined
  }

  /** Removes an output for the app that added it. One that the provider fails to remove stays as it is. */
  remove(packageName: string, outputId: string, done: (outcome: RemoveOutputOutcome) => void): void {
    const output = this.#outputs.get(outputId)
    if (!output?.shown) return done({ ok: false, code: 'OUTPUT_NOT_FOUND' })
    if (output.addedBy !== packageName) return done({ ok: false, code: 'NOT_AUTHORIZED' })
    if (output.removing) return void output.removing.push(done)
    output.removing = [done]
    this.#detach(output, (ok) => {
      if (ok) {
        this.#drop(output)
        return this.#changed()
      }
      const waiting = output.removing ?? []
      output.removing = undefined
      for (const tell of waiting) tell({ ok, code: 'STREAMING_PROVIDER_ERROR' })
    })
  }

  /** An app left: what it added goes with it, however often the provider must be asked. */
  removeOf(packageName: string): void {
    for (const output of [...this.#outputs.values()]) {
      if (output.addedBy !== packageName) continue
      const { adding } = output
      output.adding = undefined
      adding?.({ ok: false, code: 'NOT_A_VIEWER' })
      this.#retract(output)
    }
  }

  /** The stream has its place at the provider. */
  inputCreated(inputId: string): void {
    this.#inputId = inputId
    this.#watch.begin(inputId)
    for (const output of [...this.#outputs.values()]) this.#attach(output)
  }

  /** All outputs as apps are shown them, asked for anew if the last answer is old. */
  list(done: (outputs: RestreamOutput[]) => void): void {
    const answer = () => done(this.shown())
    if (this.#atProvider().length > 0) this.#watch.refresh(answer)
    else answer()
  }

  /** All outputs as apps are shown them. */
  shown(): RestreamOutput[] {
    return [...this.#outputs.values()]
      .filter(({ shown }) => shown)
      .map(({ outputId, wish, addedBy, status, error }) => ({
        outputId,
        url: wish.url.masked,
        name: wish.name,
        addedBy,
        status,
        error,
      }))
  }

  /** The stream is over, and the provider drops the outputs with it. */
  end(): void {
    this.#ended = true
    this.#watch.end()
    for (const output of [...this.#outputs.values()]) {
      const { adding } = output
      this.#drop(output)
      adding?.({ ok: false, code: 'STREAM_NOT_FOUND' })
    }
  }

  #reserve(packageName: string, wish: OutputRequest): Output | OutputRejectionCode {
    const all = [...this.#outputs.values()]
    if (all.length >= maxOutputs.perStream) return 'MAX_OUTPUTS_REACHED'
    const release = this.#streaming.reserveOutput(packageName)
    if (!release) return 'MAX_APP_OUTPUTS_REACHED'
    if (all.some((other) => other.wish.url.canonical === wish.url.canonical)) {
      release()
      return 'DUPLICATE_URL'
    }
    this.#count += 1
    const output: Output = {
      outputId: `o${this.#count}`,
      wish,
      addedBy: packageName,
      release,
      shown: false,
      atProvider: undefined,
      status: 'connecting',
      error: null,
      adding: undefined,
      removing: undefined,
      gone: false,
    }
    this.#outputs.set(output.outputId, output)
    return output
  }

  /** Hands an output to the provider, if the stream has its place there by now. */
  #attach(output: Output): void {
    const inputId = this.#inputId
    if (inputId === undefined) return
    this.#streaming.addOutput(inputId, output.wish.url.url, (result) => {
      if (this.#ended) return
      if (result.ok) output.atProvider = result.value
      if (output.gone) return this.#retract(output)
      const { adding } = output
      output.adding = undefined
      if (result.ok) {
        output.shown = true
        this.#watch.wake()
      } else if (output.shown) {
        output.status = 'error'
        output.error = 'The streaming provider did not take it'
      } else this.#drop(output)
      if (!result.ok) this.#context.log('stream_output_failed', { packageName: output.addedBy })
      adding?.(
        result.ok ? { ok: true, outputId: output.outputId } : { ok: false, code: 'STREAMING_PROVIDER_ERROR' },
      )
      this.#changed()
    })
  }

  /** Takes an output from the provider. */
  #detach({ atProvider }: Output, done: (ok: boolean) => void): void {
    if (this.#inputId === undefined || atProvider === undefined) return done(true)
    this.#streaming.removeOutput(this.#inputId, atProvider, ({ ok }) => {
      if (!this.#ended) done(ok)
    })
  }

  /** Takes an output away for good: its app left, and would not have it go on. */
  #retract(output: Output): void {
    if (output.atProvider === undefined) return this.#drop(output)
    const { clock, timing } = this.#context
    this.#detach(output, (ok) => {
      if (!ok) return void clock.after(timing.outputRetryDelayMs, () => this.#retract(output))
      this.#drop(output)
      this.#changed()
    })
  }

  #drop(output: Output): void {
    if (!output.gone) output.release()
    output.gone = true
    this.#outputs.delete(output.outputId)
    // For whatever reason it is gone: that is what they asked for.
    const { removing = [] } = output
    output.removing = undefined
    for (const tell of removing) tell({ ok: true })
  }

  #reported(reports: readonly OutputReport[] | undefined): void {
    const byId = new Map(reports?.map((report) => [report.outputId, report]))
    let changed = false
    for (const output of this.#atProvider()) {
      const report = byId.get(output.atProvider ?? '')
      const status = report?.status ?? 'unknown'
      const error = report?.error ? maskStreamKeys(report.error) : null
      changed ||= output.status !== status || output.error !== error
      output.status = status
      output.error = error
    }
    if (changed) this.#changed()
  }

  #has(packageName: string, { url }: OutputRequest): boolean {
    return [...this.#outputs.values()].some(
      ({ addedBy, wish }) => addedBy === packageName && wish.url.canonical === url.canonical,
    )
  }

  #atProvider(): Output[] {
    return [...this.#outputs.values()].filter(({ shown, atProvider }) => shown && atProvider !== undefined)
  }
}
