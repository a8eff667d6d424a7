import { useQuery } from '@tanstack/react-query'
import { type LiveSession, liveSessionQuery } from '../../api/live-session.ts'
import { LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { formatList } from '../../format.ts'
import { hardwareInSentence } from '../../permissions.ts'
import { describeUserAgent } from '../account/describe-user-agent.ts'
import styles from './GlassesStatus.module.css'

/** Says which glasses are connected; without any, how to connect some. Keeps its place until that is known. */
export function GlassesStatus() {
  const { data: session } = useQuery(liveSessionQuery)
  return (
    <div className={styles.status}>
      <p role="status">{session !== undefined && <Description session={session} />}</p>
      {session?.refusedPhone && <RefusedPhone session={session} />}
      {session?.glasses === null && (
        <div className={styles.actions}>
          <LinkButton to="/glasses">Wear simulated glasses</LinkButton>
          <LinkButton to="/glasses/connect">Connect your glasses</LinkButton>
        </div>
      )}
    </div>
  )
}

/** Says that two phones of the user connect in turn, and which of them has the glasses. */
function RefusedPhone({ session: { phone, refusedPhone } }: { readonly session: LiveSession }) {
  return (
    <Notice tone="warning" title="Two of your phones connect to your glasses">
      {nameOf(phone)} has them. {nameOf(refusedPhone)} was refused: sign out there, or close the app on the
      phone that should not have them.
    </Notice>
  )
}

function nameOf(phone: LiveSession['phone']): string {
  return phone?.userAgent ? `“${describeUserAgent(phone.userAgent)}”` : 'A phone without a name'
}

function Description({ session: { glasses, isPhoneConnected } }: { readonly session: LiveSession }) {
  if (glasses === null)
    return isPhoneConnected ? 'Your phone is connected, but no glasses.' : 'No glasses are connected.'
  const { modelName, hardware } = glasses
  if (hardware === null) return `${modelName} are connected, a model that this cloud does not know.`
  return (
    <>
      {modelName} are connected.{' '}
      {hardware.length > 0 && (
        <span className={styles.parts}>
          They have {formatList(hardware.map((type) => hardwareInSentence[type]))}.
        </span>
      )}
    </>
  )
}
