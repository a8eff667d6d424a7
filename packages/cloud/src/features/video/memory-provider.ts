import { randomUUID } from 'node:crypto'
import {
  type LiveInput,
  type OutputReport,
  parseOutputUrl,
  type StreamingResult,
} from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import type { StreamingProvider } from './provider.ts'

interface Output {
  readonly outputId: string
  readonly url: string
  readonly addedAt: number
}

interface Input {
  readonly createdAt: number
  readonly outputs: Map<string, Output>
}

/**
 * A provider for development that responds as a real one does, and streams nothing. Outputs connect after a delay,
 * except to hosts whose name begins with `invalid`.
 */
export class MemoryStreamingProvider implements StreamingProvider {
  readonly name = 'memory'
  readonly notice = 'memory provider: nothing is streamed'
  readonly #clock: Clock
  readonly #delayMs: number
  readonly #inputs = new Map<string, Input>()

  /** @param delayMs time until inputs are ready and outputs are connected */
  constructor(clock: Clock, delayMs = 200) {
    this.#clock = clock
    this.#delayMs = delayMs
  }

  /** Ids of the existing inputs. */
  get inputIds(): readonly string[] {
    return [...this.#inputs.keys()]
  }

  async createInput(): Promise<StreamingResult<LiveInput>> {
    const inputId = randomUUID()
    this.#inputs.set(inputId, { createdAt: this.#clock.monotonicNow(), outputs: new Map() })
    // The top-level domain `.invalid` is reserved and never resolves.
    const baseUrl = `https://memory.invalid/${inputId}`
    return success({
      inputId,
      ingestUrl: `rtmp://memory.invalid/live/${inputId}`,
      playback: {
        hlsUrl: `${baseUrl}/manifest/video.m3u8`,
        dashUrl: `${baseUrl}/manifest/video.mpd`,
        webrtcUrl: `${baseUrl}/webRTC/play`,
        previewUrl: `${baseUrl}/iframe`,
        thumbnailUrl: `${baseUrl}/thumbnails/thumbnail.jpg`,
      },
    })
  }

  async deleteInput(inputId: string): Promise<StreamingResult> {
    this.#inputs.delete(inputId)
    return success(undefined)
  }

  async isReady(inputId: string): Promise<StreamingResult<boolean>> {
    const input = this.#inputs.get(inputId)
    return input ? success(this.#isElapsed(input.createdAt)) : noInput
  }

  async addOutput(inputId: string, url: string): Promise<StreamingResult<string>> {
    const input = this.#inputs.get(inputId)
    if (!input) return noInput
    const outputId = randomUUID()
    input.outputs.set(outputId, { outputId, url, addedAt: this.#clock.monotonicNow() })
    return success(outputId)
  }

  async removeOutput(inputId: string, outputId: string): Promise<StreamingResult> {
    this.#inputs.get(inputId)?.outputs.delete(outputId)
    return success(undefined)
  }

  async listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>> {
    const input = this.#inputs.get(inputId)
    return input ? success([...input.outputs.values()].map((output) => this.#report(output))) : noInput
  }

  async problem(): Promise<undefined> {}

  #report({ outputId, url, addedAt }: Output): OutputReport {
    if (!this.#isElapsed(addedAt)) return { outputId, status: 'connecting', error: null }
    const reachable = !parseOutputUrl(url)?.host.startsWith('invalid')
    return reachable
      ? { outputId, status: 'active', error: null }
      : { outputId, status: 'error', error: 'The target cannot be reached' }
  }

  #isElapsed(startedAt: number): boolean {
    return this.#clock.monotonicNow() - startedAt >= this.#delayMs
  }
}

const noInput = { ok: false, message: 'There is no such input' } as const

function success<Value>(value: Value): StreamingResult<Value> {
  return { ok: true, value }
}
