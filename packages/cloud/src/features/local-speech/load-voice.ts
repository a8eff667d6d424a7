import { createRequire } from 'node:module'
import type { Samples } from '../../mp3/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import type { VoicePassage } from './messages.ts'
import { voiceConfig } from './voice-config.ts'

const require = createRequire(import.meta.url)

/** Silence in place of a passage without anything that the voice speaks. */
const PAUSE_SECONDS = 0.2

/** Letters, digits, and signs that are read out. */
const SPOKEN = /[\p{L}\p{N}\p{Sc}\p{Sm}%&@#]/u

/** A voice that is loaded. */
export interface Voice {
  readonly speakers: number
  speak(passage: VoicePassage): Samples
}

/**
 * Loads a voice. Native code ends the process for files that it cannot read, so this runs in a process of its own.
 * @throws UnusableModelError; Error if the library does not run on this machine
 */
export function loadVoice(model: SpeechModel, folder: string): Voice {
  // Loaded here, so that a process without the library can still report that.
  const { OfflineTts } = require('sherpa-onnx-node') as typeof import('sherpa-onnx-node')
  const voice = new OfflineTts(voiceConfig(model, folder))
  const { numSpeakers, sampleRate } = voice
  const pause = { samples: new Float32Array(sampleRate * PAUSE_SECONDS), sampleRate }
  return {
    speakers: Math.max(1, numSpeakers),
    speak({ text, speaker, speed, language }) {
      if (!SPOKEN.test(text)) return pause
      const generationConfig = {
        sid: speaker,
        speed,
        ...(language !== undefined && { extra: { lang: language } }),
      }
      try {
        const speech = voice.generate({ text, generationConfig })
        return speech.samples.length > 0 ? speech : pause
      } catch {
        // Its only error: the text has no letter that the model knows.
        return pause
      }
    },
  }
}
