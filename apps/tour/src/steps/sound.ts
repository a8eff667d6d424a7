import type { AudioPlayResult } from '@mentra/sdk'
import { expect, NotConfigured, type Step } from '../step.ts'

/** What the wearer hears. */
export const sound: readonly Step[] = [
  {
    name: 'sound',
    run: async ({ session, publicUrl }) => {
      // Phones fetch the sound themselves; this one lies in the app's folder of public files.
      const { duration } = good(
        await session.audio.playAudio({ audioUrl: `${publicUrl}/chime.wav`, volume: 0.5 }),
      )
      return `played for ${duration} s`
    },
  },
  {
    name: 'sound that is not there',
    run: async ({ session, publicUrl }) => {
      const { success, error } = await session.audio.playAudio({ audioUrl: `${publicUrl}/none.wav` })
      expect(!success, 'a sound that does not exist was played')
      return error ?? 'without a reason'
    },
  },
  {
    name: 'sound beside others',
    run: async ({ session, publicUrl }) => {
      const { audio } = session
      await audio.playAudio({ audioUrl: `${publicUrl}/hum.wav`, stopOtherAudio: false, trackId: 1 })
      expect(!audio.hasPendingRequest(), 'a sound beside others is waited for')
      return 'not waited for'
    },
  },
  {
    name: 'silence',
    run: ({ session }) => {
      session.audio.stopAudio(1)
      return 'asked for'
    },
  },
  {
    name: 'sound given up',
    run: async ({ session, publicUrl }) => {
      const { audio } = session
      const outcome = audio.playAudio({ audioUrl: `${publicUrl}/hum.wav` }).then(() => 'played', String)
      const [requestId = ''] = audio.getPendingRequestIds()
      expect(audio.getPendingRequestCount() === 1 && audio.hasPendingRequest(requestId), 'nothing is awaited')
      // That ends the waiting alone; the sound itself has to be stopped.
      expect(audio.cancelAudioRequest(requestId), 'the sound cannot be given up')
      audio.stopAudio()
      expect(audio.cancelAllAudioRequests() === 0, 'something is still awaited')
      return outcome
    },
  },
  {
    name: 'speaking',
    run: async ({ session }) => {
      const result = await session.audio.speak('Welcome to the tour', {
        voice_settings: { speed: 1.1 },
        volume: 0.8,
      })
      if (result.error?.includes('not configured')) throw new NotConfigured(result.error)
      return `spoken in ${good(result).duration?.toFixed(1)} s`
    },
  },
]

function good(result: AudioPlayResult): AudioPlayResult {
  expect(result.success, result.error ?? 'not played, without a reason')
  return result
}
