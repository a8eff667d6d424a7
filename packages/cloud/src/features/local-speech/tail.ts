import type { OnlineStream } from 'sherpa-onnx-node'
import { SAMPLE_RATE } from './recognition-engine.ts'

/** Silence with which a model completes its last word, once it has read it. */
const COMPLETION_MS = 500

const STEP_MS = 10
/** Models read less at a time. */
const MAX_WINDOW_MS = 10_000

/** Returns silence. */
export function silence(ms: number): Float32Array {
  return new Float32Array((SAMPLE_RATE / 1_000) * ms)
}

/**
 * Returns the silence that a streaming model needs after speech. It reads audio in chunks with some context behind them, and what
 * does not fill a chunk is not read at all: the last chunk needs silence up to its end. How long that is differs by the model, and is
 * measured with an empty stream.
 * @param isReady whether the model can read a chunk of the stream
 */
export function measureTail(stream: OnlineStream, isReady: (stream: OnlineStream) => boolean): Float32Array {
  let windowMs = 0
  for (; windowMs < MAX_WINDOW_MS && !isReady(stream); windowMs += STEP_MS)
    stream.acceptWaveform({ samples: silence(STEP_MS), sampleRate: SAMPLE_RATE })
  return silence(windowMs + COMPLETION_MS)
}
