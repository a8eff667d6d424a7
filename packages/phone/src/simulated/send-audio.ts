import { splitFrames } from '../audio/pcm.ts'
import { type Clock, delay } from '../clock.ts'

export interface SendAudioOptions {
  /** Length of a frame in milliseconds; 20 by default (640 bytes of PCM). */
  readonly frameMs?: number
  /** `realtime` (default), as a microphone does, or `fast`: as quickly as the connection accepts frames. */
  readonly pace?: 'realtime' | 'fast'
  /** Send even while the cloud has the microphone off, which phones never do. */
  readonly ignoreMicrophone?: boolean
}

/** Number of frames sent, and of frames skipped because the microphone was off. */
export interface AudioSent {
  readonly framesSent: number
  readonly framesSkipped: number
}

export interface AudioSink {
  readonly isOn: () => boolean
  readonly send: (frame: Uint8Array) => Promise<void>
  readonly clock: Clock
}

/** Sends PCM frame by frame. In real time each frame has its own due time, so a late frame does not delay the rest. */
export async function sendAudio(
  pcm: Uint8Array,
  options: SendAudioOptions,
  sink: AudioSink,
): Promise<AudioSent> {
  const { frameMs = 20, pace = 'realtime', ignoreMicrophone = false } = options
  const { clock } = sink
  const start = clock.now()
  let framesSent = 0
  let framesSkipped = 0
  for (const frame of splitFrames(pcm, frameMs)) {
    if (ignoreMicrophone || sink.isOn()) {
      await sink.send(frame)
      framesSent++
    } else {
      framesSkipped++
    }
    if (pace === 'realtime') {
      await delay(clock, start + (framesSent + framesSkipped) * frameMs - clock.now())
    }
  }
  return { framesSent, framesSkipped }
}
