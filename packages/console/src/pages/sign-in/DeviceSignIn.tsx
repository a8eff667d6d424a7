import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../link-parameters.ts'
import { DeviceApproval } from './DeviceApproval.tsx'
import type { Decision } from './DeviceDecision.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { deviceTexts } from './sign-in.texts.ts'

/** Signs in a device that shows a code, such as the command line or a television. */
export function DeviceSignIn() {
  const code = useLinkParameters().get('code') ?? ''
  const { user } = useRouteContext({ from: '/device' })
  const [decision, setDecision] = useState<Decision>()
  return (
    <SignInFrame title={deviceTexts.title}>
      {decision === undefined ? (
        <DeviceApproval email={user.email} code={code} isFocused onDecided={setDecision} />
      ) : (
        <>
          <Notice tone="success" title={deviceTexts.done[decision]} />
          <LinkButton to="/">{deviceTexts.toConsole}</LinkButton>
        </>
      )}
    </SignInFrame>
  )
}
