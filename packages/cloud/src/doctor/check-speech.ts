import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { createTextToSpeech } from '../features/tts/index.ts'
import { failure, note, ok } from './finding.ts'

/** Checks that the text-to-speech provider responds and accepts the key, without synthesizing speech. */
export async function checkSpeech({ tts }: Config): Promise<Finding[]> {
  const configured = await createTextToSpeech(tts)
  if (!configured.ok) {
    const disabled = 'TTS_PROVIDER is none; GET /api/tts reports that it is not configured'
    return [
      configured.problem === undefined ? note('speech', disabled) : failure('speech', configured.problem),
    ]
  }
  const { provider, close } = configured
  try {
    const problem = await provider.problem()
    if (problem !== undefined) return [failure('speech', problem)]
    const noVoice = 'TTS_VOICE is not set; every request must name a voice'
    return [
      ok('speech', `${tts.provider} responds`),
      ...(provider.voice === undefined ? [note('speech', noVoice)] : []),
    ]
  } finally {
    await close()
  }
}
