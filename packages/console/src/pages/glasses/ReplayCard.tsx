import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { parse } from '../../simulator/frame-log.ts'
import { type RecordedFrame, readRecording, sentFrames } from '../../simulator/recording.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import styles from './panels.module.css'
import { recordingTexts } from './recording.texts.ts'

const texts = recordingTexts.replay

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
    setFailure(recorded.length === 0 ? texts.empty : undefined)
    simulator.replay.load(recorded)
  }

  async function open(file: File | undefined) {
    if (file === undefined) return
    try {
      load(readRecording(await file.text()))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <Card title={texts.title} description={texts.description}>
      <div className={styles.row}>
        <FileTrigger
          acceptedFileTypes={['.jsonl', 'application/jsonl', 'application/json']}
          onSelect={(files) => void open(files?.[0])}
        >
          <Button>{texts.open}</Button>
        </FileTrigger>
        <Button onPress={() => load(sentFrames(state.frames))}>{texts.useInspector}</Button>
      </div>
      {(failure ?? problem) !== undefined && <Notice tone="danger" title={failure ?? problem ?? ''} />}
      {frames.length === 0 ? (
        <p className="muted">{texts.nothing}</p>
      ) : (
        <>
          <p role="status">{texts.progress(frames.length, position)}</p>
          <progress aria-label={texts.progressLabel} max={frames.length} value={position} />
          {next !== undefined && (
            <p>
              {texts.next} <strong>{typeOf(next)}</strong>
            </p>
          )}
          <div className={styles.row}>
            {isRunning ? (
              <Button onPress={() => simulator.replay.stop()}>{texts.stop}</Button>
            ) : (
              <Button variant="primary" onPress={() => simulator.replay.start()}>
                {texts.start}
              </Button>
            )}
            <Button isDisabled={isRunning || next === undefined} onPress={() => simulator.replay.step()}>
              {texts.step}
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
