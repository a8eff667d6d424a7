import type { LiveInput, OutputReport, StreamingResult } from '../../session/index.ts'

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
  /** Creates an input, to which glasses stream. */
  createInput(): Promise<StreamingResult<LiveInput>>
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
}
