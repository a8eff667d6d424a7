import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../url-state.ts'
import { type Decision, DeviceApproval } from './DeviceApproval.tsx'
import { SignInFrame } from './SignInFrame.tsx'

const DONE = { approve: 'The device is signed in', deny: 'The sign-in was rejected' }

/** Signs in a device that shows a code, such as the command line or a television. */
export function DeviceSignIn() {
  const code = useLinkParameters().get('code') ?? ''
  const { user } = useRouteContext({ from: '/device' })
  const [decision, setDecision] = useState<Decision>()
  return (
    <SignInFrame title="Sign in on a device">
      {decision === undefined ? (
        <DeviceApproval email={user.email} code={code} isFocused onDecided={setDecision} />
      ) : (
        <>
          <Notice tone="success" title={DONE[decision]} />
          <LinkButton to="/">Go to the console</LinkButton>
        </>
      )}
    </SignInFrame>
  )
}
