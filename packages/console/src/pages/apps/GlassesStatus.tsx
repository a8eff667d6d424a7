import { useQuery } from '@tanstack/react-query'
import { type LiveSession, liveSessionQuery } from '../../api/live-session.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { formatList } from '../../format.ts'
import { hardwareInSentence } from '../../permissions.ts'
import styles from './GlassesStatus.module.css'

const texts = {
  glasses: {
    connected: (model: string, parts: readonly string[]) =>
      parts.length === 0
        ? `${model} are connected.`
        : `${model} are connected. They have ${formatList(parts)}.`,
  },
} as const

/** Says which glasses are connected; without any, how to connect some. */
export function GlassesStatus() {
  const { data: session } = useQuery(liveSessionQuery)
  if (session === undefined) return null
  return (
    <div className={styles.status}>
      <p role="status">{describe(session)}</p>
      {session.glasses === null && (
        <div className={styles.actions}>
          <LinkButton to="/glasses">Wear simulated glasses</LinkButton>
          <LinkButton to="/welcome" hash="phone">
            Connect a phone
          </LinkButton>
        </div>
      )}
    </div>
  )
}

function describe({ glasses, isPhoneConnected }: LiveSession): string {
  if (glasses === null)
    return isPhoneConnected ? 'Your phone is connected, but no glasses.' : 'No glasses are connected.'
  const { modelName, hardware } = glasses
  if (hardware === null) return `${modelName} are connected, a model that this cloud does not know.`
  return texts.glasses.connected(
    modelName,
    hardware.map((type) => hardwareInSentence[type]),
  )
}
