import { randomUUID } from 'node:crypto'
import {
  type Clock,
  type LiveInput,
  type OutputReport,
  parseOutputUrl,
  type StreamingResult,
} from '../../session/index.ts'
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
 * A provider for development that returns the results of a real one but streams nothing. Outputs connect after a
 * moment, except to hosts whose name starts with `invalid`.
 */
export class MemoryStreamingProvider implements StreamingProvider {
  readonly name = 'memory'
  readonly notice = 'memory provider: nothing is streamed'
  readonly #clock: Clock
  readonly #momentMs: number
  readonly #inputs = new Map<string, Input>()

  /** @param momentMs delay before inputs and outputs are ready */
  constructor(clock: Clock, momentMs = 200) {
    this.#clock = clock
    this.#momentMs = momentMs
  }

  get inputIds(): readonly string[] {
    return [...this.#inputs.keys()]
  }

  async createInput(): Promise<StreamingResult<LiveInput>> {
    const inputId = randomUUID()
    this.#inputs.set(inputId, { createdAt: this.#clock.monotonicNow(), outputs: new Map() })
    // A reserved name that never resolves.
    const place = `https://memory.invalid/${inputId}`
    return success({
      inputId,
      ingestUrl: `rtmp://memory.invalid/live/${inputId}`,
      playback: {
        hlsUrl: `${place}/manifest/video.m3u8`,
        dashUrl: `${place}/manifest/video.mpd`,
        webrtcUrl: `${place}/webRTC/play`,
        previewUrl: `${place}/iframe`,
        thumbnailUrl: `${place}/thumbnails/thumbnail.jpg`,
      },
    })
  }

  async deleteInput(inputId: string): Promise<StreamingResult> {
    this.#inputs.delete(inputId)
    return success(undefined)
  }

  async isReady(inputId: string): Promise<StreamingResult<boolean>> {
    const input = this.#inputs.get(inputId)
    return input ? success(this.#isPast(input.createdAt)) : INPUT_NOT_FOUND
  }

  async addOutput(inputId: string, url: string): Promise<StreamingResult<string>> {
    const input = this.#inputs.get(inputId)
    if (!input) return INPUT_NOT_FOUND
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
    return input
      ? success([...input.outputs.values()].map((output) => this.#report(output)))
      : INPUT_NOT_FOUND
  }

  #report({ outputId, url, addedAt }: Output): OutputReport {
    if (!this.#isPast(addedAt)) return { outputId, status: 'connecting', error: null }
    const reachable = !parseOutputUrl(url)?.host.startsWith('invalid')
    return reachable
      ? { outputId, status: 'active', error: null }
      : { outputId, status: 'error', error: 'The target cannot be reached' }
  }

  #isPast(since: number): boolean {
    return this.#clock.monotonicNow() - since >= this.#momentMs
  }
}

const INPUT_NOT_FOUND = { ok: false, message: 'The input does not exist' } as const

function success<Value>(value: Value): StreamingResult<Value> {
  return { ok: true, value }
}
