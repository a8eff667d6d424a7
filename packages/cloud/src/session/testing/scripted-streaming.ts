import type {
  OutputReport,
  OutputReservation,
  SessionStreaming,
  StreamingResult,
} from '../parts/video/port.ts'

/** A call that the test has to complete. */
interface Call {
  readonly operation: string
  readonly argument: string | undefined
  // The result type depends on the operation, which the list of calls does not track.
  readonly done: (result: StreamingResult<never>) => void
}

/** A streaming provider whose calls the test completes. */
export class ScriptedStreaming implements SessionStreaming {
  notice: string | undefined
  readonly openStreams = new Set<string>()
  /** The ids of deleted inputs, in order. */
  readonly deletedInputs: string[] = []
  /** The number of reserved outputs by package name. */
  readonly outputCounts = new Map<string, number>()
  /** Whether the test completes reservations, too, in the order of `pendingReservations`. */
  delaysReservations = false
  readonly pendingReservations: (() => void)[] = []
  readonly pendingCalls: Call[] = []
  readonly #outputWatchers = new Set<() => void>()
  #inputs = 0

  createInput(done: Parameters<SessionStreaming['createInput']>[0]): void {
    this.#addCall('createInput', undefined, done)
  }

  deleteInput(inputId: string): void {
    this.deletedInputs.push(inputId)
  }

  isReady(_: string, done: Parameters<SessionStreaming['isReady']>[1]): void {
    this.#addCall('isReady', undefined, done)
  }

  addOutput(_: string, url: string, done: Parameters<SessionStreaming['addOutput']>[2]): void {
    this.#addCall('addOutput', url, done)
  }

  removeOutput(_: string, outputId: string, done: Parameters<SessionStreaming['removeOutput']>[2]): void {
    this.#addCall('removeOutput', outputId, done)
  }

  listOutputs(_: string, done: Parameters<SessionStreaming['listOutputs']>[1]): void {
    this.#addCall('listOutputs', undefined, done)
  }

  watchOutputs(_: string, changed: () => void): () => void {
    this.#outputWatchers.add(changed)
    return () => void this.#outputWatchers.delete(changed)
  }

  /** Reports that the status of an output changed. */
  outputsChanged(): void {
    for (const changed of this.#outputWatchers) changed()
  }

  /** The number of streams whose outputs are watched. */
  get watchedStreams(): number {
    return this.#outputWatchers.size
  }

  streamOpened(streamId: string): void {
    this.openStreams.add(streamId)
  }

  streamClosed(streamId: string): void {
    this.openStreams.delete(streamId)
  }

  reserveOutputs(packageName: string, count: number, done: (reservation: OutputReservation) => void): void {
    const reserve = () => {
      const used = this.outputCounts.get(packageName) ?? 0
      if (used + count > 10) return done({ ok: false, code: 'MAX_APP_OUTPUTS_REACHED' })
      this.outputCounts.set(packageName, used + count)
      const release = () =>
        void this.outputCounts.set(packageName, (this.outputCounts.get(packageName) ?? 0) - 1)
      done({ ok: true, releases: Array.from({ length: count }, () => release) })
    }
    if (this.delaysReservations) this.pendingReservations.push(reserve)
    else reserve()
  }

  /** The number of pending calls of an operation. */
  pendingCount(operation: string): number {
    return this.pendingCalls.filter((call) => call.operation === operation).length
  }

  completeCreateInput(): void {
    this.#inputs += 1
    const inputId = `input${this.#inputs}`
    this.#complete('createInput', {
      inputId,
      ingestUrl: `rtmp://in.test/live/${inputId}`,
      playback: { hlsUrl: `https://in.test/${inputId}.m3u8`, dashUrl: `https://in.test/${inputId}.mpd` },
    })
  }

  completeIsReady(is = true): void {
    this.#complete('isReady', is)
  }

  completeAddOutput(outputId: string): void {
    this.#complete('addOutput', outputId)
  }

  completeRemoveOutput(): void {
    this.#complete('removeOutput', undefined)
  }

  completeListOutputs(...reports: OutputReport[]): void {
    this.#complete('listOutputs', reports)
  }

  failCall(operation: string): void {
    this.#takeCall(operation).done({ ok: false, message: 'no' })
  }

  #complete(operation: string, value: unknown): void {
    this.#takeCall(operation).done({ ok: true, value: value as never })
  }

  #takeCall(operation: string): Call {
    const at = this.pendingCalls.findIndex((call) => call.operation === operation)
    const [call] = at < 0 ? [] : this.pendingCalls.splice(at, 1)
    if (!call) throw new Error(`no pending call of ${operation}`)
    return call
  }

  #addCall<Value>(
    operation: string,
    argument: string | undefined,
    done: (result: StreamingResult<Value>) => void,
  ): void {
    this.pendingCalls.push({ operation, argument, done })
  }
}
