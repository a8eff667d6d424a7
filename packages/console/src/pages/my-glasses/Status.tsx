import { Card } from '../../components/Page.tsx'
import { formatMinute } from '../../format.ts'
import { type LinkChange, partName, partsOf } from '../../real-glasses/link-changes.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'
import styles from './my-glasses.module.css'

const MICROPHONE_STATES = {
  off: 'off: no app listens',
  on: 'on: an app listens',
  lost: 'off: it is in the right arm, which is not connected',
  away: 'off: the glasses are not connected',
  words: 'off: this cloud does not recognize speech (it needs a speech model, or STT_PROVIDERS)',
} as const

const PART_STATES = { connected: 'connected', connecting: 'connecting…', lost: 'not connected' } as const

/** The state of the glasses in words: each part, battery, microphone, and what happened to the parts. */
export function Status({ state }: { readonly state: RealGlassesState }) {
  const { chosen, link, battery, firmware, isOnHead, changes } = state
  const facts: [string, string][] = [
    ...partsOf(link).map((part): [string, string] => [
      capitalize(partName(part.name)),
      PART_STATES[part.state],
    ]),
    ['Battery', battery === undefined ? 'not known yet' : `${battery} %`],
    ['Microphone', MICROPHONE_STATES[microphoneOf(state)]],
  ]
  // The others report neither.
  if (chosen?.kind === 'even-g1')
    facts.push(
      ['Worn', isOnHead === undefined ? 'not known yet' : isOnHead ? 'yes' : 'no'],
      ['Firmware', firmware ?? 'not known yet'],
    )
  return (
    <Card title="State">
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {changes.length > 0 && (
        <section aria-label="What happened">
          <h3>What happened</h3>
          <ul className={styles.changes} aria-live="polite">
            {changes.map(({ at, part, state: changed }) => (
              <li key={`${at} ${part} ${changed}`}>
                <time dateTime={new Date(at).toISOString()}>{formatMinute(at)}</time>{' '}
                {changeOf(part, changed)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  )
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Says what happened to a part. */
function changeOf(part: string, state: LinkChange['state']): string {
  const name = partName(part)
  const isPlural = part === 'glasses'
  if (state === 'connected') return `The ${name} ${isPlural ? 'are' : 'is'} connected.`
  return isPlural
    ? `The ${name} lost their connection. They are being connected again.`
    : `The ${name} lost its connection. It is being connected again.`
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
