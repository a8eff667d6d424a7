import type { LiveInput, OutputReport, StreamingResult } from '../../session/index.ts'

/** What an input is created for. */
export interface InputRequest {
  /** Opaque id of the user whose glasses stream to it. */
  readonly userId: string
}

/** A recording of an input that remains at the provider. */
export interface InputRecording {
  /** Id at the provider. */
  readonly id: string
  /** Where it can be watched; null if the provider does not say. */
  readonly url: string | null
}

/**
 * Receives live streams of glasses and provides playback URLs. Errors of the provider are values, not rejections, and
 * their messages contain no stream key. Every adapter passes `streamingProviderSuite`.
 *
 * URLs of outputs come from apps, so an adapter that connects to them from this machine must reject private networks
 * unless they are allowed.
 */
export interface StreamingProvider {
  /** Name of the provider, as in `STREAM_PROVIDER`. */
  readonly name: string
  /** Notice that is added to responses. */
  readonly notice?: string
  /** Creates an input, to which the glasses of a user stream. */
  createInput(request: InputRequest): Promise<StreamingResult<LiveInput>>
  /** Deletes an input with all its outputs. Succeeds if it does not exist. */
  deleteInput(inputId: string): Promise<StreamingResult>
  /** Whether the stream of an input can be watched. */
  isReady(inputId: string): Promise<StreamingResult<boolean>>
  /**
   * Adds an output, to which the stream of the input is forwarded.
   * @param url `rtmp://` or `rtmps://`, including the stream key
   * @returns the output's id at the provider
   */
  addOutput(inputId: string, url: string): Promise<StreamingResult<string>>
  /** Removes an output. Succeeds if it does not exist. */
  removeOutput(inputId: string, outputId: string): Promise<StreamingResult>
  /** Lists the outputs of an input with their status. */
  listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>>
  /**
   * Calls `changed` when the status of an output of an input changed, until the returned function is called. A provider
   * without it is polled.
   */
  watchOutputs?(inputId: string, changed: () => void): () => void
  /** Returns why the provider cannot be used, as a sentence for the operator; undefined if it can. */
  problem(): Promise<string | undefined>
  /** Ends what remains and releases resources. */
  close?(): Promise<void>
}

/**
 * A provider whose inputs have names, and may remain at it if this process dies. `TrackedProvider` makes it a
 * `StreamingProvider` and releases such inputs.
 */
export interface ExternalProvider extends Omit<StreamingProvider, 'createInput'> {
  /** Whether its inputs end with this process, so that nothing remains of a failed creation. */
  readonly isInProcess?: boolean
  /** Creates an input that can be found by its name, even if the response is lost. */
  createInput(request: InputRequest & { readonly name: string }): Promise<StreamingResult<LiveInput>>
  /** Returns the recordings of an input that remain after it is deleted. Absent: none remain. */
  recordings?(inputId: string): Promise<StreamingResult<readonly InputRecording[]>>
  /** Deletes a recording. Succeeds if it does not exist. */
  deleteRecording?(recordingId: string): Promise<StreamingResult>
  /** Returns the ids of the inputs with a name. */
  findInputs(name: string): Promise<StreamingResult<readonly string[]>>
}
