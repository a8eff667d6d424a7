import { Card } from '../../components/Page.tsx'
import { formatMinute } from '../../format.ts'
import { partsOf } from '../../real-glasses/link-changes.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'
import styles from './my-glasses.module.css'
import { myGlassesTexts } from './my-glasses.texts.ts'

const texts = myGlassesTexts.status

/** The state of the glasses in words: each part, battery, microphone, and what happened to the parts. */
export function Status({ state }: { readonly state: RealGlassesState }) {
  const { chosen, link, battery, firmware, isOnHead, changes } = state
  const facts: [string, string][] = [
    ...partsOf(link).map((part): [string, string] => [texts.part(part.name), texts.partStates[part.state]]),
    [texts.battery, battery === undefined ? texts.unknown : texts.percent(battery)],
    [texts.microphone, texts.microphoneStates[microphoneOf(state)]],
  ]
  // The others report neither.
  if (chosen?.kind === 'even-g1')
    facts.push(
      [texts.worn, isOnHead === undefined ? texts.unknown : texts.wornStates[isOnHead ? 'yes' : 'no']],
      [texts.firmware, firmware ?? texts.unknown],
    )
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
            {changes.map(({ at, part, state: changed }) => (
              <li key={`${at} ${part} ${changed}`}>
                <time dateTime={new Date(at).toISOString()}>{formatMinute(at)}</time>{' '}
                {texts.change(part, changed)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  )
}

function microphoneOf({ requiredData, link }: Pick<RealGlassesState, 'requiredData' | 'link'>) {
  if (requiredData.length === 0) return 'off'
  const isHeard = requiredData.includes('pcm') || requiredData.includes('pcm_or_transcription')
  if (!isHeard) return 'words'
  // Of arms, the right one has it.
  const part = partsOf(link).at(-1)
  if (part?.state === 'connected') return 'on'
  return part?.name === 'right' ? 'lost' : 'away'
}
