import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { FileButton } from '../../components/FileButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { plural } from '../../format.ts'
import { parse } from '../../simulator/frame-log.ts'
import { type RecordedFrame, readRecording, sentFrames } from '../../simulator/recording.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import styles from './panels.module.css'

export interface ReplayCardProps {
  readonly simulator: Simulator
  readonly state: Pick<SimulatorState, 'replay' | 'frames'>
}

/** Sends the messages of a recording again, as a scripted session. */
export function ReplayCard({ simulator, state }: ReplayCardProps) {
  const { frames, position, isRunning, problem } = state.replay
  const [failure, setFailure] = useState<string>()
  const next = frames[position]

  function load(recorded: readonly RecordedFrame[]) {
    setFailure(recorded.length === 0 ? 'The recording contains no message of the glasses.' : undefined)
    simulator.replay.load(recorded)
  }

  async function open(file: File) {
    try {
      load(readRecording(await file.text()))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <Card
      title="Replay a recording"
      description="Sends the messages of the glasses again, from a file that the inspector exported. Sound is not recorded."
    >
      <div className={styles.row}>
        <FileButton
          accept={['.jsonl', 'application/jsonl', 'application/json']}
          onFile={(file) => void open(file)}
        >
          Open a recording
        </FileButton>
        <Button onPress={() => load(sentFrames(state.frames))}>Use the frames in the inspector</Button>
      </div>
      {(failure ?? problem) !== undefined && <Notice tone="danger" title={failure ?? problem ?? ''} />}
      {frames.length === 0 ? (
        <p className="muted">Nothing is loaded.</p>
      ) : (
        <>
          <p role="status">
            {plural(frames.length, { one: '1 message', other: `${frames.length} messages` })} · {position} of{' '}
            {frames.length} sent
          </p>
          <progress aria-label="Progress of the replay" max={frames.length} value={position} />
          {next !== undefined && (
            <p>
              Next: <strong>{typeOf(next)}</strong>
            </p>
          )}
          <div className={styles.row}>
            {isRunning ? (
              <Button onPress={() => simulator.replay.stop()}>Stop</Button>
            ) : (
              <Button variant="primary" onPress={() => simulator.replay.start()}>
                Replay with its timing
              </Button>
            )}
            <Button isDisabled={isRunning || next === undefined} onPress={() => simulator.replay.step()}>
              Send the next one
            </Button>
          </div>
        </>
      )}
    </Card>
  )
}

function typeOf({ text }: RecordedFrame): string {
  const message = parse(text)
  return typeof message === 'object' && message !== null && 'type' in message ? String(message.type) : text
}
