import { useQuery } from '@tanstack/react-query'
import { type LiveSession, liveSessionQuery } from '../../api/live-session.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { hardwareInSentence } from '../../permissions.ts'
import styles from './GlassesStatus.module.css'
import { storeTexts } from './store.texts.ts'
import { appTexts } from './texts.ts'

const texts = storeTexts.glasses

/** Says which glasses are connected; without any, how to connect some. Keeps its place until that is known. */
export function GlassesStatus() {
  const { data: session } = useQuery(liveSessionQuery)
  return (
    <div className={styles.status}>
      <p role="status">{session !== undefined && <Description session={session} />}</p>
      {session?.glasses === null && (
        <div className={styles.actions}>
          <LinkButton to="/glasses">{appTexts.wearSimulated}</LinkButton>
          <LinkButton to="/glasses/connect">{appTexts.connectGlasses}</LinkButton>
        </div>
      )}
    </div>
  )
}

function Description({ session: { glasses, isPhoneConnected } }: { readonly session: LiveSession }) {
  if (glasses === null) return isPhoneConnected ? texts.phoneOnly : texts.notConnected
  const { modelName, hardware } = glasses
  if (hardware === null) return texts.unknownModel(modelName)
  return (
    <>
      {texts.connected(modelName)}{' '}
      {hardware.length > 0 && (
        <span className={styles.parts}>{texts.parts(hardware.map((type) => hardwareInSentence[type]))}</span>
      )}
    </>
  )
}
