import { openMedia } from './open-media.ts'
import workletUrl from './pcm-worklet.ts?worker&url'

/** Sample rate that the cloud expects, in hertz. */
const SAMPLE_RATE = 16_000

/** A microphone that is capturing. */
export interface Capture {
  stop(): void
}

/**
 * Captures the microphone as 16-bit mono PCM at 16 kHz.
 * @param onFrame receives frames of 20 ms with their level (0 to 1)
 * @throws {Error} with a sentence for the user, if they do not allow it or there is no microphone
 */
export async function captureMicrophone(onFrame: (pcm: Uint8Array, level: number) => void): Promise<Capture> {
  const stream = await openMedia('microphone', { audio: { channelCount: 1, echoCancellation: true } })
  const context = new AudioContext({ sampleRate: SAMPLE_RATE })
  try {
    await context.audioWorklet.addModule(workletUrl)
    const node = new AudioWorkletNode(context, 'pcm')
    node.port.onmessage = ({ data }: MessageEvent<{ pcm: ArrayBuffer; level: number }>) =>
      onFrame(new Uint8Array(data.pcm), data.level)
    context.createMediaStreamSource(stream).connect(node)
  } catch (error) {
    for (const track of stream.getTracks()) track.stop()
    await context.close()
    throw error
  }
  return {
    stop() {
      for (const track of stream.getTracks()) track.stop()
      void context.close()
    },
  }
}

/**
 * Decodes a sound file to 16-bit mono PCM at 16 kHz.
 * @throws {DOMException} if the browser cannot decode it
 */
export async function decodeSoundFile(file: Blob): Promise<Uint8Array> {
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE)
  const sound = await context.decodeAudioData(await file.arrayBuffer())
  const mono = new OfflineAudioContext(1, sound.length, SAMPLE_RATE)
  const source = mono.createBufferSource()
  source.buffer = sound
  source.connect(mono.destination)
  source.start()
  const samples = (await mono.startRendering()).getChannelData(0)
  const pcm = new DataView(new ArrayBuffer(samples.length * 2))
  for (const [index, sample] of samples.entries())
    pcm.setInt16(index * 2, Math.round(Math.min(Math.max(sample, -1), 1) * 32_767), true)
  return new Uint8Array(pcm.buffer)
}
