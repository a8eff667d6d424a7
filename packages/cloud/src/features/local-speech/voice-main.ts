/**
 * A process that speaks with one model: the cloud starts it, sends passages and receives MP3 (`messages.ts`). It ends
 * with the cloud. Native code that crashes here costs the texts that it speaks, and nothing else.
 */
import { createSpeechEncoder, type Samples } from '../../mp3/index.ts'
import { loadVoice, type Voice } from './load-voice.ts'
import type { FromVoice, ToVoice } from './messages.ts'
import { type LoadMessage, runModelProgram } from './model-process.ts'

/** Sample rates of MP3 for speech: most voices have 16, 22.05 or 24 kHz. */
const SAMPLE_RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000]
const KILOBITS_PER_SECOND = 64

const encode = await createSpeechEncoder()
let voice: Voice | undefined

function send(message: FromVoice): void {
  process.send?.(message)
}

function encodeSpeech(speech: Samples): Uint8Array {
  const sampleRate = SAMPLE_RATES.find((rate) => rate >= speech.sampleRate) ?? Math.max(...SAMPLE_RATES)
  return encode(speech, { sampleRate, kilobitsPerSecond: KILOBITS_PER_SECOND })
}

runModelProgram<ToVoice>((message: ToVoice | LoadMessage) => {
  if (message.type === 'load') {
    voice = loadVoice(message.model, message.folder)
    send({ type: 'loaded', speakers: voice.speakers })
  } else if (voice) send({ type: 'spoken', mp3: encodeSpeech(voice.speak(message.passage)) })
})
