import { Card } from '../../components/Page.tsx'
import { formatMinute } from '../../format.ts'
import type { WornG1State } from '../../real-glasses/worn-g1-state.ts'
import styles from './my-glasses.module.css'
import { myGlassesTexts } from './my-glasses.texts.ts'

const texts = myGlassesTexts.status

/** The state of the glasses in words: each arm, battery, firmware, microphone, and what happened to the arms. */
export function Status({ state }: { readonly state: WornG1State }) {
  const { link, battery, firmware, isOnHead, changes } = state
  const facts: [string, string][] = [
    ...link.parts.map((part): [string, string] => [texts.arm(part.name), texts.armStates[part.state]]),
    [texts.battery, battery === undefined ? texts.unknown : texts.percent(battery)],
    [texts.microphone, texts.microphoneStates[microphoneOf(state)]],
    [texts.worn, isOnHead === undefined ? texts.unknown : texts.wornStates[isOnHead ? 'yes' : 'no']],
    [texts.firmware, firmware ?? texts.unknown],
  ]
  return (
    <Card title={texts.title}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {changes.length > 0 && (
        <section aria-label={texts.changes}>
          <h3>{texts.changes}</h3>
          <ul className={styles.changes} aria-live="polite">
            {changes.map(({ at, arm, state: changed }) => (
              <li key={`${at} ${arm} ${changed}`}>
                <time dateTime={new Date(at).toISOString()}>{formatMinute(at)}</time>{' '}
                {texts.change(arm, changed)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  )
}

function microphoneOf({ requiredData, link }: Pick<WornG1State, 'requiredData' | 'link'>) {
  if (requiredData.length === 0) return 'off'
  const isHeard = requiredData.includes('pcm') || requiredData.includes('pcm_or_transcription')
  if (!isHeard) return 'words'
  return link.parts.some(({ name, state }) => name === 'right' && state === 'connected') ? 'on' : 'lost'
}
