import { isObject, languageCode } from '@glasses-cloud/contract'
import type { SpeechListener, SpeechOptions, SpeechStream } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import { ProviderSocket } from './provider-socket.ts'
import { msOfBytes, type SpeechToText, textOf } from './speech-to-text.ts'

const DEFAULT_URL = 'wss://api.openai.com/v1/realtime'
const DEFAULT_MODEL = 'gpt-live-transcribe'
const FINALIZE_TIMEOUT_MS = 10_000
/** The protocol rejects a commit of less audio, in bytes at 16 kHz: 100 ms. */
const MIN_COMMIT_BYTES = 3_200
/** Models that accept several likely languages. */
const MODELS_WITH_LANGUAGES = /^gpt-(live-)?transcribe/

export interface OpenAiOptions {
  /** Undefined for servers that require none. */
  readonly apiKey: string | undefined
  readonly url: URL | undefined
  readonly model: string | undefined
  readonly clock: Clock
}

/** OpenAI, or any server with its protocol for realtime transcription. */
export function openAi(options: OpenAiOptions): SpeechToText {
  return {
    name: 'openai',
    translates: false,
    finalizeTimeoutMs: FINALIZE_TIMEOUT_MS,
    supports: () => true,
    open: (speech, listener) => new OpenAiStream(options, speech, listener),
  }
}

/** A committed turn of audio, in order of commits. */
interface Turn {
  /** Known once the commit is acknowledged. */
  itemId: string | undefined
  readonly startMs: number
  readonly endMs: number
  /** Undefined until it is recognized. */
  text: string | undefined
}

class OpenAiStream implements SpeechStream {
  readonly #socket: ProviderSocket
  readonly #listener: SpeechListener
  readonly #resampler = new Resampler()
  readonly #turns: Turn[] = []
  /** Text so far of items that are not complete. */
  readonly #partial = new Map<string, string>()
  #bytes = 0
  #committedBytes = 0
  #isReady = false

  constructor(options: OpenAiOptions, speech: SpeechOptions, listener: SpeechListener) {
    const { apiKey, clock } = options
    this.#listener = listener
    this.#socket = new ProviderSocket({
      name: 'openai',
      url: sessionUrl(options),
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      clock,
      respondsContinuously: false,
      onOpen: () => this.#socket.sendJson(sessionUpdate(options, speech)),
      onMessage: (message) => this.#onMessage(message),
      onFailed: (failure) => listener.failed(failure),
    })
  }

  push(pcm: Uint8Array): void {
    this.#bytes += pcm.byteLength
    const audio = this.#resampler.resample(pcm).toString('base64')
    this.#socket.sendAudio(JSON.stringify({ type: 'input_audio_buffer.append', audio }))
  }

  finalize(): void {
    const uncommitted = this.#bytes - this.#committedBytes
    const turn: Turn = {
      itemId: undefined,
      startMs: msOfBytes(this.#committedBytes),
      endMs: msOfBytes(this.#bytes),
      text: undefined,
    }
    this.#turns.push(turn)
    this.#committedBytes = this.#bytes
    if (uncommitted === 0) {
      turn.text = ''
      setImmediate(() => this.#report())
      return
    }
    if (uncommitted < MIN_COMMIT_BYTES) {
      const silence = this.#resampler.resample(new Uint8Array(MIN_COMMIT_BYTES - uncommitted))
      this.#socket.sendJson({ type: 'input_audio_buffer.append', audio: silence.toString('base64') })
    }
    this.#socket.sendJson({ type: 'input_audio_buffer.commit' })
  }

  close(): void {
    this.#socket.close()
  }

  #onMessage(message: Record<string, unknown>): void {
    const itemId = typeof message.item_id === 'string' ? message.item_id : ''
    switch (message.type) {
      case 'session.updated':
      case 'transcription_session.updated':
        return this.#onUpdated()
      case 'input_audio_buffer.committed': {
        const turn = this.#turns.find((one) => one.itemId === undefined && one.text === undefined)
        if (turn) turn.itemId = itemId
        return
      }
      case 'conversation.item.input_audio_transcription.delta':
        return this.#onDelta(itemId, message.delta)
      case 'conversation.item.input_audio_transcription.completed':
        return this.#complete(itemId, textOf(message.transcript))
      case 'conversation.item.input_audio_transcription.failed':
        return this.#onError(message.error, 'failed to recognize a turn')
      case 'error':
        return this.#onError(message.error, 'reported an error')
    }
  }

  #onUpdated(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#listener.ready()
  }

  #onDelta(itemId: string, delta: unknown): void {
    if (typeof delta !== 'string') return
    const text = textOf(`${this.#partial.get(itemId) ?? ''}${delta}`)
    // `textOf` removes the space that separates this delta from the next one.
    this.#partial.set(itemId, /\s$/.test(delta) ? `${text} ` : text)
    const [oldest] = this.#turns.filter((turn) => turn.text === undefined)
    if (oldest?.itemId !== undefined && oldest.itemId !== itemId) return
    if (text !== '') this.#segment(itemId, text, false, oldest)
  }

  #complete(itemId: string, text: string): void {
    this.#partial.delete(itemId)
    const turn = this.#turns.find((one) => one.itemId === itemId)
    if (!turn) return
    turn.text = text
    this.#report()
  }

  /** Reports the turns that are recognized, in order. */
  #report(): void {
    for (let [turn] = this.#turns; turn?.text !== undefined; [turn] = this.#turns) {
      this.#turns.shift()
      if (turn.text !== '') this.#segment(turn.itemId ?? '', turn.text, true, turn)
      this.#listener.finalized()
    }
  }

  #segment(utteranceId: string, text: string, isFinal: boolean, turn: Turn | undefined): void {
    const startMs = turn?.startMs ?? msOfBytes(this.#committedBytes)
    this.#listener.segment({
      utteranceId,
      text,
      isFinal,
      startMs,
      endMs: turn?.endMs ?? msOfBytes(this.#bytes),
    })
  }

  /** @param what completes the sentence "openai …" if the error has no meaning of its own */
  #onError(error: unknown, what: string): void {
    const { code, type } = isObject(error) ? error : {}
    if (code === 'input_audio_buffer_commit_empty') {
      const turn = this.#turns.find((one) => one.itemId === undefined && one.text === undefined)
      if (turn) turn.text = ''
      return this.#report()
    }
    if (code === 'session_expired') return this.#socket.fail('expired', 'ended the session')
    if (code === 'invalid_api_key' || type === 'authentication_error')
      return this.#socket.fail('authentication', 'rejects the key')
    if (code === 'insufficient_quota' || code === 'rate_limit_exceeded')
      return this.#socket.fail('quota', 'reports that a limit of the account is reached')
    if (code === 'unsupported_language' || code === 'invalid_language_format')
      return this.#socket.fail('unsupported_language', 'does not support the language')
    this.#socket.fail('retryable', what)
  }
}

function sessionUrl({ url }: OpenAiOptions): URL {
  const address = new URL(url ?? DEFAULT_URL)
  if (!address.searchParams.has('intent')) address.searchParams.set('intent', 'transcription')
  return address
}

function sessionUpdate({ model = DEFAULT_MODEL }: OpenAiOptions, { language, hints }: SpeechOptions): object {
  const languages = [...new Set(hints.map(languageCode))]
  const acceptsHints = language === 'auto' && languages.length > 0 && MODELS_WITH_LANGUAGES.test(model)
  return {
    type: 'session.update',
    session: {
      type: 'transcription',
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          transcription: {
            model,
            ...(language === 'auto' ? {} : { language: languageCode(language) }),
            ...(acceptsHints ? { languages } : {}),
          },
          // The session commits each turn.
          turn_detection: null,
        },
      },
    },
  }
}

/** Converts PCM of 16 bit from 16 to 24 kHz by linear interpolation, across the borders of frames. */
class Resampler {
  #last = 0
  #count = 0

  /** Returns three samples for every two. */
  resample(pcm: Uint8Array): Buffer {
    const input = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
    const output = Buffer.allocUnsafe(pcm.byteLength * 2 + 2)
    let length = 0
    for (let at = 0; at + 1 < pcm.byteLength; at += 2) {
      const sample = input.getInt16(at, true)
      const last = this.#last
      if (this.#count % 2 === 1) length = output.writeInt16LE(Math.round((last + 2 * sample) / 3), length)
      else {
        if (this.#count > 0) length = output.writeInt16LE(Math.round((2 * last + sample) / 3), length)
        length = output.writeInt16LE(sample, length)
      }
      this.#last = sample
      this.#count += 1
    }
    return output.subarray(0, length)
  }
}
