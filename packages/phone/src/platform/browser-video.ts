import type { VideoPublisher as Publisher, VideoPublisherOptions } from './platform.ts'

/** Reports that a browser cannot publish video over RTMP. */
export class VideoPublisher implements Publisher {
  readonly #options: VideoPublisherOptions

  constructor(options: VideoPublisherOptions) {
    this.#options = options
  }

  start(): void {
    this.#options.onStatus('error', { errorDetails: 'A browser cannot publish video over RTMP' })
    this.#options.onEnd()
  }

  interrupt(): void {}

  async stop(): Promise<void> {}
}
