import type { AudioPlayResult } from '@mentra/sdk'
import { expect, NotConfiguredError, type Step } from '../step.ts'

/** Audio playback. */
export const audio: readonly Step[] = [
  {
    name: 'audio playback',
    run: async ({ session, publicUrl }) => {
      // Phones fetch the audio themselves, here from the app's public folder.
      const { duration } = assertPlayed(
        await session.audio.playAudio({ audioUrl: `${publicUrl}/chime.wav`, volume: 0.5 }),
      )
      return `played for ${duration} s`
    },
  },
  {
    name: 'missing audio file',
    run: async ({ session, publicUrl }) => {
      const { success, error } = await session.audio.playAudio({ audioUrl: `${publicUrl}/none.wav` })
      expect(!success, 'a missing file was played')
      return error ?? 'no reason given'
    },
  },
  {
    name: 'parallel audio',
    run: async ({ session, publicUrl }) => {
      const { audio } = session
      await audio.playAudio({ audioUrl: `${publicUrl}/hum.mp3`, stopOtherAudio: false, trackId: 1 })
      expect(!audio.hasPendingRequest(), 'the SDK awaits parallel audio')
      return 'not awaited'
    },
  },
  {
    name: 'stopped audio',
    run: ({ session }) => {
      session.audio.stopAudio(1)
      return 'requested'
    },
  },
  {
    name: 'canceled audio',
    run: async ({ session, publicUrl }) => {
      const { audio } = session
      const outcome = audio.playAudio({ audioUrl: `${publicUrl}/hum.mp3` }).then(() => 'played', String)
      const [requestId = ''] = audio.getPendingRequestIds()
      expect(
        audio.getPendingRequestCount() === 1 && audio.hasPendingRequest(requestId),
        'no request is pending',
      )
      // Canceling only ends the wait; the playback must be stopped separately.
      expect(audio.cancelAudioRequest(requestId), 'the request cannot be canceled')
      audio.stopAudio()
      expect(audio.cancelAllAudioRequests() === 0, 'a request is still pending')
      return outcome
    },
  },
  {
    name: 'text to speech',
    run: async ({ session }) => {
      const result = await session.audio.speak('Welcome to the tour', {
        voice_settings: { speed: 1.1 },
        volume: 0.8,
      })
      if (result.error?.includes('not configured')) throw new NotConfiguredError(result.error)
      return `spoken in ${assertPlayed(result).duration?.toFixed(1)} s`
    },
  },
]

function assertPlayed(result: AudioPlayResult): AudioPlayResult {
  expect(result.success, result.error ?? 'playback failed without a reason')
  return result
}
