import type { OutputReport, SessionStreaming, StreamingResult } from '../features/streams/port.ts'

/** A call that waits for the test to answer it. */
interface Call {
  readonly operation: string
  readonly argument: string | undefined
  // The test answers with what the operation gives; the call knows its type, the list does not.
  readonly done: (result: StreamingResult<never>) => void
}

/** A streaming provider whose every answer the test gives. */
export class ScriptedStreaming implements SessionStreaming {
  notice: string | undefined
  /** Streams that are open now. */
  readonly openStreams = new Set<string>()
  /** Inputs that were deleted, in order. */
  readonly deletedInputs: string[] = []
  /** How many outputs each app holds. */
  readonly outputCounts = new Map<string, number>()
  readonly pendingCalls: Call[] = []
  #inputs = 0

  createInput(done: Parameters<SessionStreaming['createInput']>[0]): void {
    this.#wait('createInput', undefined, done)
  }

  deleteInput(inputId: string): void {
    this.deletedInputs.push(inputId)
  }

  isReady(_: string, done: Parameters<SessionStreaming['isReady']>[1]): void {
    this.#wait('isReady', undefined, done)
  }

  addOutput(_: string, url: string, done: Parameters<SessionStreaming['addOutput']>[2]): void {
    this.#wait('addOutput', url, done)
  }

  removeOutput(_: string, outputId: string, done: Parameters<SessionStreaming['removeOutput']>[2]): void {
    this.#wait('removeOutput', outputId, done)
  }

  listOutputs(_: string, done: Parameters<SessionStreaming['listOutputs']>[1]): void {
    this.#wait('listOutputs', undefined, done)
  }

  streamOpened(streamId: string): void {
    this.openStreams.add(streamId)
  }

  streamClosed(streamId: string): void {
    this.openStreams.delete(streamId)
  }

  reserveOutput(packageName: string): (() => void) | undefined {
    const held = this.outputCounts.get(packageName) ?? 0
    if (held >= 10) return undefined
    this.outputCounts.set(packageName, held + 1)
    return () => void this.outputCounts.set(packageName, (this.outputCounts.get(packageName) ?? 0) - 1)
  }

  /** How many calls of a kind wait. */
  pendingCount(operation: string): number {
    return this.pendingCalls.filter((call) => call.operation === operation).length
  }

  /** The input is there. */
  completeCreateInput(): void {
    this.#inputs += 1
    const inputId = `input${this.#inputs}`
    this.#answer('createInput', {
      inputId,
      ingestUrl: `rtmp://in.test/live/${inputId}`,
      playback: { hlsUrl: `https://in.test/${inputId}.m3u8`, dashUrl: `https://in.test/${inputId}.mpd` },
    })
  }

  /** The input can be watched, or not yet. */
  completeIsReady(is = true): void {
    this.#answer('isReady', is)
  }

  /** The provider has the output. */
  completeAddOutput(outputId: string): void {
    this.#answer('addOutput', outputId)
  }

  /** The output is gone. */
  completeRemoveOutput(): void {
    this.#answer('removeOutput', undefined)
  }

  /** How the outputs stand. */
  completeListOutputs(...reports: OutputReport[]): void {
    this.#answer('listOutputs', reports)
  }

  /** The call failed. */
  failCall(operation: string): void {
    this.#take(operation).done({ ok: false, message: 'no' })
  }

  #answer(operation: string, value: unknown): void {
    this.#take(operation).done({ ok: true, value: value as never })
  }

  #take(operation: string): Call {
    const at = this.pendingCalls.findIndex((call) => call.operation === operation)
    const [call] = at < 0 ? [] : this.pendingCalls.splice(at, 1)
    if (!call) throw new Error(`no ${operation} waits`)
    return call
  }

  #wait<Value>(
    operation: string,
    argument: string | undefined,
    done: (result: StreamingResult<Value>) => void,
  ): void {
    this.pendingCalls.push({ operation, argument, done })
  }
}
