import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../../api/apps.ts'
import { type LiveSession, liveSessionQuery } from '../../api/live-session.ts'
import { formatList } from '../../format.ts'
import { Step } from './Step.tsx'

/** The last steps of every way: glasses are connected, and an app shows words. */
export function SessionSteps() {
  const { data: session } = useQuery(liveSessionQuery)
  return (
    <>
      <ConnectedStep session={session} />
      <WordsStep session={session} />
    </>
  )
}

interface SessionStepProps {
  readonly session: LiveSession | undefined
}

function ConnectedStep({ session }: SessionStepProps) {
  const model = session?.glasses?.modelName
  if (model !== undefined)
    return (
      <Step
        title="Glasses connected"
        state="done"
        status={`${model} are connected, and their first message has arrived.`}
      />
    )
  const status =
    session?.isPhoneConnected === true
      ? 'The phone is connected. Its glasses have not reported yet.'
      : 'Nothing has connected yet. This page says so the moment it happens.'
  return <Step title="Glasses connected" state="waiting" status={status} />
}

function WordsStep({ session }: SessionStepProps) {
  const { data: apps = [] } = useQuery(appsQuery)
  if (session === undefined || session.glasses === null)
    return (
      <Step
        title="Words on the lens"
        state="waiting"
        status="Once glasses are connected, start an app: its words appear on the lens."
      />
    )
  if (session.runningApps.length === 0)
    return (
      <Step
        title="Words on the lens"
        state="waiting"
        status="Start an app below: its words appear on the lens."
      />
    )
  const names = session.runningApps.map(
    (packageName) => apps.find((app) => app.packageName === packageName)?.name ?? packageName,
  )
  return (
    <Step title="Words on the lens" state="done" status={`${formatList(names)} runs. Look at the lens.`} />
  )
}
