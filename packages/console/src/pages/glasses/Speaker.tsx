import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import type { Simulator, Sound } from '../../simulator/simulator.ts'
import { glasses } from '../../texts/glasses.ts'
import styles from './GlassesPage.module.css'
import { useAct } from './use-act.ts'

const texts = glasses.speaker

export interface SpeakerProps {
  readonly simulator: Simulator
  readonly sounds: readonly Sound[]
}

/** What apps play on the speaker of the computer. */
export function Speaker({ simulator, sounds }: SpeakerProps) {
  const act = useAct(simulator)
  return (
    <Card title={texts.title}>
      {sounds.some(({ result }) => result === 'playing') && (
        <div>
          <Button onPress={() => act(({ audioPlayer }) => audioPlayer.stopAll())}>{texts.stop}</Button>
        </div>
      )}
      {sounds.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <ul className={styles.list} aria-label={texts.sounds}>
          {sounds.map(({ requestId, url, volume, result, error }) => (
            <li key={requestId}>
              <span>{url}</span>
              <span className="muted">
                {texts.results[result]}, {texts.volume(volume)}
                {error !== undefined && `: ${error}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
