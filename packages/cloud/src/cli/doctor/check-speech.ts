import { Agent } from 'undici'
import type { Config } from '../../config/index.ts'
import { createTextToSpeech } from '../../features/tts/index.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

/** What speaks is there, and takes the key. Nothing is spoken for it. */
export async function checkSpeech({ tts }: Config): Promise<Finding[]> {
  const dispatcher = new Agent()
  try {
    const configured = createTextToSpeech(tts, dispatcher)
    if (!configured.ok) {
      const off = 'TTS_PROVIDER is not set; GET /api/tts answers that it is not configured'
      return [configured.problem === undefined ? note('speech', off) : wrong('speech', configured.problem)]
    }
    const problem = await configured.provider.problem()
    if (problem !== undefined) return [wrong('speech', problem)]
    const voiceless = 'TTS_VOICE is not set; every request must name a voice'
    return [
      ok('speech', `${tts.provider} answers`),
      ...(configured.provider.voice === undefined ? [note('speech', voiceless)] : []),
    ]
  } finally {
    await dispatcher.destroy()
  }
}
