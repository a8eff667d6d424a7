import type { PlaySound, Speak } from '../platform/platform.ts'
import { HOST, type Payload } from './host.ts'
import type { HostChannel } from './host-channel.ts'

/** Plays sounds by the host, on the speaker that the wearer chose there. */
export function soundsOf(host: HostChannel): { readonly playSound: PlaySound; readonly speak: Speak } {
  return {
    async playSound(audioUrl, { volume, signal, clock }) {
      const startedAt = clock.now()
      await playToEnd(host, { type: HOST.PLAY_AUDIO, audioUrl, volume, stopOtherAudio: false }, signal)
      return (clock.now() - startedAt) / 1000
    },
    // By the voice of the phone alone: the words of an app are not for the servers of the host's vendor.
    speak: (text, { volume, signal }) =>
      playToEnd(host, { type: HOST.SPEAK, text, volume, stopOtherAudio: false, forceLocal: true }, signal),
  }
}

async function playToEnd(host: HostChannel, request: Payload, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      host.post({ type: HOST.STOP_AUDIO })
      reject(signal.reason)
    })
  })
  await Promise.race([stopped, host.play(request)])
}
