import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import type { ModelFolder } from './model-process.ts'
import { BYTES_PER_MS, type RecognitionEngine, type RecognitionEvents } from './recognition-engine.ts'
import { recognizerConfig } from './recognizer-config.ts'
import { loadAnalysis, type ResultAnalysis } from './result-analysis.ts'
import { StreamingEngine } from './streaming-engine.ts'
import { UtteranceEngine } from './utterance-engine.ts'
import type { WorkMeter } from './work-meter.ts'

const require = createRequire(import.meta.url)

/** Audio that measures how fast the model is. */
export const TRIAL_MS = 2_000
/** No stream of the cloud has this number. */
const TRIAL_STREAM = -1

/**
 * Loads a model with its companions and measures how fast it recognizes. Native code ends the process for files that it cannot read, so this
 * runs in a process of its own.
 * @throws UnusableModelError; Error if the library does not run on this machine
 */
export function loadRecognizer(
  recognizer: ModelFolder,
  companions: readonly ModelFolder[],
  meter: WorkMeter,
  events: RecognitionEvents,
): RecognitionEngine {
  const analysis = loadAnalysis(companions)
  const engine = createEngine(recognizer, analysis, meter, {
    segment: (id, segment, voice) => id === TRIAL_STREAM || events.segment(id, segment, voice),
    finalized: (id) => id === TRIAL_STREAM || events.finalized(id),
    consumed: (id, bytes) => id === TRIAL_STREAM || events.consumed(id, bytes),
  })
  // The first run also allocates memory; the second one weighs more.
  for (let run = 0; run < 2; run += 1) tryOut(engine)
  return engine
}

function createEngine(
  { model, folder }: ModelFolder,
  analysis: ResultAnalysis,
  meter: WorkMeter,
  events: RecognitionEvents,
): RecognitionEngine {
  // Loaded here, so that a process without the library can still report that.
  const { OfflineRecognizer, OnlineRecognizer } =
    require('sherpa-onnx-node') as typeof import('sherpa-onnx-node')
  const config = recognizerConfig(model, folder)
  const language = model.languages.length === 1 ? model.languages[0] : undefined
  if (model.kind === 'streaming-recognizer')
    return new StreamingEngine({
      recognizer: new OnlineRecognizer(config),
      language,
      analysis,
      meter,
      events,
    })
  const recognizer = new OfflineRecognizer(config)
  let current: string | undefined
  const setLanguage = (next: string | undefined) => {
    // Of the models with several languages only Whisper's can be told.
    if (model.architecture !== 'whisper' || next === current) return
    current = next
    recognizer.setConfig(recognizerConfig(model, folder, next))
  }
  return new UtteranceEngine({
    recognizer,
    setLanguage,
    language,
    analysis,
    meter,
    events,
    now: () => performance.now(),
  })
}

function tryOut(engine: RecognitionEngine): void {
  engine.open(TRIAL_STREAM, undefined)
  engine.push(TRIAL_STREAM, noise(TRIAL_MS))
  engine.finalize(TRIAL_STREAM)
  while (engine.step() !== undefined);
  engine.close(TRIAL_STREAM)
}

/** Quiet noise; the same each time. */
export function noise(ms: number): Uint8Array {
  const pcm = Buffer.alloc(ms * BYTES_PER_MS)
  let state = 1
  for (let at = 0; at < pcm.byteLength; at += 2) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    pcm.writeInt16LE((state >>> 21) - 1_024, at)
  }
  return pcm
}
