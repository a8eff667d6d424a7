/** The parts of the library that are used; its own types are comments. */
declare module 'sherpa-onnx-node' {
  export interface Waveform {
    /** -1 to 1. */
    readonly samples: Float32Array
    readonly sampleRate: number
  }

  export interface RecognitionResult {
    readonly text: string
    /** Seconds from the beginning of the stream, one for each token. */
    readonly timestamps?: readonly number[]
    /** Of models that detect the language: `<|en|>` or `en`. */
    readonly lang?: string
  }

  export class OnlineStream {
    acceptWaveform(waveform: Waveform): void
    inputFinished(): void
  }

  export class OnlineRecognizer {
    constructor(config: object)
    createStream(): OnlineStream
    isReady(stream: OnlineStream): boolean
    decodeStreams(streams: readonly OnlineStream[]): void
    getResult(stream: OnlineStream): RecognitionResult
  }

  export class OfflineStream {
    acceptWaveform(waveform: Waveform): void
  }

  export class OfflineRecognizer {
    constructor(config: object)
    createStream(): OfflineStream
    setConfig(config: object): void
    decode(stream: OfflineStream): void
    getResult(stream: OfflineStream): RecognitionResult
  }

  export interface SpokenText {
    readonly text: string
    readonly generationConfig: {
      readonly sid: number
      readonly speed: number
      /** `lang`: language of Kokoro models that speak several. */
      readonly extra?: { readonly lang: string }
    }
  }

  export class OfflineTts {
    constructor(config: object)
    /** 0 of models with a single speaker. */
    readonly numSpeakers: number
    readonly sampleRate: number
    /** @throws Error if the text has nothing that the model speaks */
    generate(text: SpokenText): Waveform
  }

  export class OfflinePunctuation {
    constructor(config: object)
    addPunct(text: string): string
  }

  export class OnlinePunctuation {
    constructor(config: object)
    addPunct(text: string): string
  }

  export class KeywordSpotter {
    constructor(config: object)
    readonly handle: unknown
    isReady(stream: OnlineStream): boolean
    decode(stream: OnlineStream): void
    reset(stream: OnlineStream): void
    /** `keyword`: the name of the keyword that was just completed, or empty. */
    getResult(stream: OnlineStream): { readonly keyword: string }
  }

  export class SpeakerEmbeddingExtractor {
    constructor(config: object)
    createStream(): OnlineStream
    isReady(stream: OnlineStream): boolean
    /** @param isExternal whether the result is memory of the library */
    compute(stream: OnlineStream, isExternal: boolean): Float32Array
  }
}
