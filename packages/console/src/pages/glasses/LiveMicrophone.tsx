import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Mic, MicOff } from '../../components/icons.ts'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { type Capture, captureMicrophone } from '../../simulator/microphone.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import styles from './Say.module.css'

/** Level from which sound counts as speech. */
const LOUD = 0.03

export interface LiveMicrophoneProps {
  readonly simulator: Simulator
  readonly isDisabled: boolean
}

/** Sends the microphone of the computer while the cloud asks for sound, and shows its level. */
export function LiveMicrophone({ simulator, isDisabled }: LiveMicrophoneProps) {
  const [capture, setCapture] = useState<Capture>()
  const meter = useRef<HTMLMeterElement>(null)
  useEffect(() => () => capture?.stop(), [capture])
  useEffect(() => {
    if (isDisabled) setCapture(undefined)
  }, [isDisabled])

  async function send(pcm: Uint8Array, level: number) {
    const isSent = await simulator.glasses.sendAudioFrame(pcm)
    if (isSent && level >= LOUD) simulator.noteSound()
  }

  const start = useAction(
    async () =>
      setCapture(
        await captureMicrophone((pcm, level) => {
          if (meter.current !== null) meter.current.value = level
          // Frames during a reconnection are lost, as with real glasses.
          if (simulator.getState().connection === 'connected') void send(pcm, level).catch(() => {})
        }),
      ),
    { onFailure: reportFailure },
  )

  if (capture === undefined) {
    return (
      <Button
        aria-label="Use the microphone"
        isDisabled={isDisabled}
        isPending={start.isPending}
        onPress={() => start.run()}
      >
        <Mic aria-hidden />
      </Button>
    )
  }
  return (
    <>
      <Button aria-label="Stop the microphone" onPress={() => setCapture(undefined)}>
        <MicOff aria-hidden />
      </Button>
      <meter ref={meter} className={styles.meter} aria-label="Level" min={0} max={1} />
    </>
  )
}
