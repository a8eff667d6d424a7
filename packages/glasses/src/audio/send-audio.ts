import type { Clock } from '../clock.ts'
import { splitFrames } from './pcm.ts'

/** How sound is sent. */
export interface SendAudioOptions {
  /** Length of a frame, in milliseconds; 20 by default (640 bytes). */
  readonly frameMs?: number
  /** `realtime` as a microphone does (the default), or `fast`: as quickly as the connection takes it. */
  readonly pace?: 'realtime' | 'fast'
  /** Send even while the cloud has the microphone switched off; phones never do. */
  readonly ignoreMicrophone?: boolean
}

/** What became of the sound: frames nobody wanted to hear were not sent. */
export interface AudioSent {
  readonly framesSent: number
  readonly framesSkipped: number
}

/** What sound is played through. */
export interface Microphone {
  readonly isOn: () => boolean
  readonly send: (frame: Buffer) => Promise<void>
  readonly clock: Clock
}

/** Sends sound frame by frame. In real time each frame has its own moment, so a late one does not delay the rest. */
export async function sendAudio(
  pcm: Buffer,
  options: SendAudioOptions,
  microphone: Microphone,
): Promise<AudioSent> {
  const { frameMs = 20, pace = 'realtime', ignoreMicrophone = false } = options
  const { clock } = microphone
  const start = clock.now()
  let framesSent = 0
  let framesUnheard = 0
  for (const frame of splitFrames(pcm, frameMs)) {
    if (ignoreMicrophone || microphone.isOn()) {
      await microphone.send(frame)
      framesSent++
    } else {
      framesUnheard++
    }
    if (pace === 'realtime') {
      await delay(clock, start + (framesSent + framesUnheard) * frameMs - clock.now())
    }
  }
  return { framesSent, framesSkipped: framesUnheard }
}

/** Waits on a clock; not at all when the moment has passed. */
export function delay(clock: Clock, ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => clock.setTimeout(resolve, ms))
}
