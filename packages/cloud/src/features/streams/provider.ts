import type { LiveInput, OutputReport, StreamingResult } from '../../session/index.ts'

/**
 * Takes live streams of glasses and makes them watchable. Calls never reject for what the provider does wrong:
 * errors are values, whose messages hold no stream key. Every adapter passes `streamingProviderSuite`.
 *
 * An adapter that connects to outputs from this machine keeps away from private networks by itself, unless they
 * are allowed: addresses of outputs come from apps.
 */
export interface StreamingProvider {
  /** As the settings call it. */
  readonly name: string
  /** What everybody who gets an answer should know of it, if anything. */
  readonly notice?: string
  /** Makes a place that glasses stream to. */
  createInput(): Promise<StreamingResult<LiveInput>>
  /** Deletes an input with all its outputs. One that is not there is deleted already. */
  deleteInput(inputId: string): Promise<StreamingResult>
  /** Whether what comes in can be watched by now. */
  isReady(inputId: string): Promise<StreamingResult<boolean>>
  /**
   * Sends what comes in on to a further address.
   * @param url `rtmp://` or `rtmps://`, key included
   * @returns the output's id at the provider
   */
  addOutput(inputId: string, url: string): Promise<StreamingResult<string>>
  /** Removes an output. One that is not there is removed already. */
  removeOutput(inputId: string, outputId: string): Promise<StreamingResult>
  /** How the outputs of an input stand. */
  listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>>
}
