import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../../api/apps.ts'
import { type LiveSession, liveSessionQuery } from '../../api/live-session.ts'
import { connectTexts } from './connect.texts.ts'
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
  const texts = connectTexts.connected
  const model = session?.glasses?.modelName
  if (model !== undefined) return <Step title={texts.title} state="done" status={texts.done(model)} />
  const status = session?.isPhoneConnected === true ? texts.phoneOnly : texts.waiting
  return <Step title={texts.title} state="waiting" status={status} />
}

function WordsStep({ session }: SessionStepProps) {
  const texts = connectTexts.words
  const { data: apps = [] } = useQuery(appsQuery)
  if (session === undefined || session.glasses === null)
    return <Step title={texts.title} state="waiting" status={texts.before} />
  if (session.runningApps.length === 0)
    return <Step title={texts.title} state="waiting" status={texts.waiting} />
  const names = session.runningApps.map(
    (packageName) => apps.find((app) => app.packageName === packageName)?.name ?? packageName,
  )
  return <Step title={texts.title} state="done" status={texts.done(names)} />
}
