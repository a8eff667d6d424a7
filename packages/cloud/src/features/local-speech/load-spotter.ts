import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { KeywordSpotter, OnlineStream } from 'sherpa-onnx-node'
import { noise, TRIAL_MS } from './load-recognizer.ts'
import type { ModelFolder } from './model-process.ts'
import { PhraseTokens } from './phrase-tokens.ts'
import { recognizerConfig, tokensFileOf } from './recognizer-config.ts'
import { SpottingEngine, type SpottingEvents } from './spotting-engine.ts'
import type { WorkMeter } from './work-meter.ts'

const require = createRequire(import.meta.url)

/** Required by the constructor, which ends the process for unknown tokens. An empty line is no keyword. */
const NO_KEYWORDS = '\n'
/** No stream of the cloud has this number. */
const TRIAL_STREAM = -1

/**
 * Loads a keyword spotter and measures its speed. Native code ends the process for files that it cannot read, so this runs in a process of
 * its own.
 * @throws UnusableModelError; Error if the library does not run on this machine
 */
export function loadSpotter(
  { model, folder }: ModelFolder,
  meter: WorkMeter,
  events: SpottingEvents,
): SpottingEngine {
  // Loaded here, so that a process without the library can still report that.
  const { KeywordSpotter } = require('sherpa-onnx-node') as typeof import('sherpa-onnx-node')
  const spotter = new KeywordSpotter({
    ...recognizerConfig(model, folder),
    keywordsBuf: NO_KEYWORDS,
    keywordsBufSize: NO_KEYWORDS.length,
  })
  const engine = new SpottingEngine({
    spotter,
    createStream: (keywords) => createStream(spotter, keywords),
    tokens: new PhraseTokens(readFileSync(tokensFileOf(model, folder), 'utf8')),
    meter,
    events: {
      opened: (id, unspelled) => id === TRIAL_STREAM || events.opened(id, unspelled),
      detected: (id, phrase) => id === TRIAL_STREAM || events.detected(id, phrase),
      consumed: (id, bytes) => id === TRIAL_STREAM || events.consumed(id, bytes),
    },
  })
  // The first run also allocates memory; the second one weighs more.
  for (let run = 0; run < 2; run += 1) {
    engine.open(TRIAL_STREAM, [])
    engine.push(TRIAL_STREAM, noise(TRIAL_MS))
    while (engine.step() !== undefined);
    engine.close(TRIAL_STREAM)
  }
  return engine
}

/** Creates a stream with keywords of its own, which `KeywordSpotter.createStream` of the package cannot. */
function createStream(spotter: KeywordSpotter, keywords: string): OnlineStream {
  const addon = require('sherpa-onnx-node/addon.js') as {
    createKeywordStream(handle: unknown, keywords: string): unknown
  }
  const { OnlineStream } = require('sherpa-onnx-node/streaming-asr.js') as {
    OnlineStream: new (handle: unknown) => OnlineStream
  }
  return new OnlineStream(addon.createKeywordStream(spotter.handle, keywords))
}
