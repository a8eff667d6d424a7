import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { liveSessionQuery } from '../../api/live-session.ts'
import { type Login, loginsQuery } from '../../api/security.ts'
import { describeUserAgent } from '../account/describe-user-agent.ts'
import { type Decision, DeviceApproval } from '../sign-in/DeviceApproval.tsx'
import { Step } from './Step.tsx'

/** Pause in ms between questions whether a device has signed in. */
const POLL_MS = 3_000

/** The sign-in of the phone, with the code that its glasses show; after a rejection with another one. */
export function DeviceSignInStep() {
  const { user } = useRouteContext({ from: '/signed-in' })
  const [isApproved, setApproved] = useState(false)
  const [rejections, setRejections] = useState(0)
  function decided(decision: Decision) {
    if (decision === 'approve') setApproved(true)
    else setRejections(rejections + 1)
  }
  if (isApproved) return <SignInStep instruction="The code was approved. The phone signs in now…" />
  return (
    <SignInStep
      instruction={
        rejections === 0
          ? 'Enter the code that the lens shows. The next time, the glasses sign in by themselves.'
          : 'The sign-in was rejected. If you meant another device, enter its code.'
      }
    >
      <DeviceApproval key={rejections} email={user.email} onDecided={decided} />
    </SignInStep>
  )
}

export interface SignInStepProps {
  /** What to do, until a device has signed in. */
  readonly instruction: string
  readonly children?: ReactNode
}

/** Whether a device has signed in: it is connected, or its login is newer than this page. */
export function SignInStep({ instruction, children }: SignInStepProps) {
  const { data: session } = useQuery(liveSessionQuery)
  const login = useNewLogin()
  if (login !== undefined) {
    const name = login.userAgent === null ? 'A device' : describeUserAgent(login.userAgent)
    return <Step title="Sign in" state="done" status={`${name} signed in as you.`} />
  }
  if (session?.isPhoneConnected === true)
    return <Step title="Sign in" state="done" status="The phone has signed in." />
  return (
    <Step title="Sign in" state="waiting" status={instruction}>
      {children}
    </Step>
  )
}

/** Finds a login of the user that did not exist when the component was first shown. */
function useNewLogin(): Login | undefined {
  const [known, setKnown] = useState<ReadonlySet<string>>()
  const { data: logins } = useQuery({
    ...loginsQuery,
    // Not the list of another page, which may be older than this one.
    queryKey: [...loginsQuery.queryKey, 'new'],
    gcTime: 0,
    refetchInterval: POLL_MS,
  })
  if (logins !== undefined && known === undefined) setKnown(new Set(logins.map(({ id }) => id)))
  return known && logins?.find(({ id }) => !known.has(id))
}
