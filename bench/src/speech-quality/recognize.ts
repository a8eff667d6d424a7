import { EventEmitter, once } from 'node:events'
import type { SpeechToText } from '@glasses-cloud/cloud/stt'
import { type Clock, pause } from '@glasses-cloud/cloud/time'
import { BYTES_PER_MS } from '@glasses-cloud/phone'

const FRAME_BYTES = 20 * BYTES_PER_MS
/** The session of the cloud ends a longer utterance. */
const MAX_UTTERANCE_BYTES = 20_000 * BYTES_PER_MS
/** Limit for what is waited for: a large model on a slow machine. */
const TIMEOUT_MS = 5 * 60_000
/** Loudness, relative to the loudest frame, from which a frame is speech: -20 dB. */
const SPEECH_LEVEL = 0.1

export interface RecognizeOptions {
  /** Language tag, or `auto`. */
  readonly language: string
  /** Seconds of audio that are sent in a second; 0: as fast as the recognizer takes it. */
  readonly pace: number
  readonly clock: Clock
}

/** What a recognizer made of a sound. */
export interface Recognition {
  readonly text: string
  /** Time from the beginning of the speech to the first text; undefined without text, or without a pace. */
  readonly firstTextMs: number | undefined
  /** Time from the end of the sound until all text is final; undefined without a pace. */
  readonly finalMs: number | undefined
}

interface StreamState {
  isReady: boolean
  finalizedCount: number
  /** When it was finalized last. */
  finalizedAt: number
  firstTextAt: number | undefined
  problem: string | undefined
}

/**
 * Sends a sound to a recognizer as the cloud does, in utterances of at most 20 s, and receives its text.
 * @param pcm 16 kHz, 16 bit, mono
 * @throws Error with the message of the recognizer if it fails, and if it does not answer within five minutes
 */
export async function recognize(
  provider: SpeechToText,
  pcm: Buffer,
  { language, pace, clock }: RecognizeOptions,
): Promise<Recognition> {
  const events = new EventEmitter<{ event: [] }>()
  const finals: string[] = []
  const state: StreamState = {
    isReady: false,
    finalizedCount: 0,
    finalizedAt: 0,
    firstTextAt: undefined,
    problem: undefined,
  }
  const change = (changes: Partial<StreamState>) => {
    Object.assign(state, changes)
    events.emit('event')
  }
  const stream = provider.open(
    { language, hints: [], identifiesLanguage: false },
    {
      ready: () => change({ isReady: true }),
      segment: ({ text, isFinal }) => {
        if (text !== '') state.firstTextAt ??= clock.monotonicNow()
        if (isFinal) finals.push(text)
      },
      finalized: () =>
        change({ finalizedCount: state.finalizedCount + 1, finalizedAt: clock.monotonicNow() }),
      failed: ({ message }) => change({ problem: message }),
    },
  )
  const assertWorking = () => {
    if (state.problem !== undefined) throw new Error(state.problem)
  }
  const until = async (isDone: () => boolean) => {
    const timer = clock.after(TIMEOUT_MS, () => change({ problem: 'it does not answer within five minutes' }))
    try {
      while (state.problem === undefined && !isDone()) await once(events, 'event')
      assertWorking()
    } finally {
      timer.cancel()
    }
  }
  let finalizeCount = 0
  const finalize = () => {
    finalizeCount += 1
    stream.finalize()
  }
  const isFinalized = () => state.finalizedCount === finalizeCount
  try {
    await until(() => state.isReady)
    const startedAt = clock.monotonicNow()
    const timeOf = (bytes: number) => startedAt + bytes / BYTES_PER_MS / pace
    for (let at = 0; at < pcm.byteLength; at += FRAME_BYTES) {
      if (at > 0 && at % MAX_UTTERANCE_BYTES === 0) {
        finalize()
        if (pace === 0) await until(isFinalized)
      }
      const frame = pcm.subarray(at, at + FRAME_BYTES)
      // A microphone sends a frame when it has ended.
      const early = pace === 0 ? 0 : timeOf(at + frame.byteLength) - clock.monotonicNow()
      if (early > 0) await pause(clock, early)
      assertWorking()
      stream.push(frame)
    }
    const endedAt = clock.monotonicNow()
    finalize()
    await until(isFinalized)
    const { firstTextAt, finalizedAt } = state
    const isTimed = pace > 0
    return {
      text: finals.join(' '),
      firstTextMs: isTimed && firstTextAt !== undefined ? firstTextAt - timeOf(speechStart(pcm)) : undefined,
      finalMs: isTimed ? finalizedAt - endedAt : undefined,
    }
  } finally {
    stream.close()
  }
}

/** Returns the position of the first frame, in bytes, that is not quiet against the loudest one. */
function speechStart(pcm: Buffer): number {
  const levels = Array.from({ length: Math.ceil(pcm.byteLength / FRAME_BYTES) }, (_, index) =>
    levelOf(pcm.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES)),
  )
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  return (
    Math.max(
      0,
      levels.findIndex((level) => level >= loudest * SPEECH_LEVEL),
    ) * FRAME_BYTES
  )
}

/** Root of the mean square of the samples. */
function levelOf(frame: Buffer): number {
  let sum = 0
  for (let at = 0; at + 1 < frame.byteLength; at += 2) sum += frame.readInt16LE(at) ** 2
  return Math.sqrt(sum / Math.max(1, frame.byteLength >> 1))
}
