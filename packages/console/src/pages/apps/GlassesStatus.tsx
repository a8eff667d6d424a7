import { useQuery } from '@tanstack/react-query'
import { type LiveSession, liveSessionQuery } from '../../api/live-session.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { hardwareInSentence, apps as texts } from '../../texts/apps.ts'
import styles from './GlassesStatus.module.css'

/** Says which glasses are connected; without any, how to connect some. */
export function GlassesStatus() {
  const { data: session } = useQuery(liveSessionQuery)
  if (session === undefined) return null
  return (
    <div className={styles.status}>
      <p role="status">{describe(session)}</p>
      {session.glasses === null && (
        <div className={styles.actions}>
          <LinkButton to="/glasses">{texts.glasses.simulate}</LinkButton>
          <LinkButton to="/welcome" hash="phone">
            {texts.glasses.connectPhone}
          </LinkButton>
        </div>
      )}
    </div>
  )
}

function describe({ glasses, isPhoneConnected }: LiveSession): string {
  if (glasses === null) return isPhoneConnected ? texts.glasses.phoneOnly : texts.glasses.none
  const { modelName, hardware } = glasses
  if (hardware === null) return texts.glasses.unknown(modelName)
  return texts.glasses.connected(
    modelName,
    hardware.map((type) => hardwareInSentence[type]),
  )
}
