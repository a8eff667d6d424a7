import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Sound } from '../../simulator/simulator-state.ts'
import styles from './panels.module.css'
import { useAct } from './use-simulator.ts'

const RESULTS = { playing: 'Playing', played: 'Played', failed: 'Failed' } as const

export interface SpeakerProps {
  readonly simulator: Simulator
  readonly sounds: readonly Sound[]
}

/** What apps play on the speaker of the computer. */
export function Speaker({ simulator, sounds }: SpeakerProps) {
  const act = useAct(simulator)
  return (
    <Card title="Speaker">
      {sounds.some(({ result }) => result === 'playing') && (
        <div>
          <Button onPress={() => act(({ audioPlayer }) => audioPlayer.stopAll())}>Stop the sound</Button>
        </div>
      )}
      {sounds.length === 0 ? (
        <p className="muted">Nothing was played yet.</p>
      ) : (
        <ul className={styles.list} aria-label="Sounds">
          {sounds.map(({ requestId, url, volume, result, error }) => (
            <li key={requestId}>
              <span>{url}</span>
              <span className="muted">
                {RESULTS[result]}, volume {Math.round(volume * 100)} %{error !== undefined && `: ${error}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
