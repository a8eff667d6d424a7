import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useLinkParameters } from '../../link-parameters.ts'
import { DeviceDecision, type WaitingDevice } from './DeviceDecision.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { deviceTexts } from './sign-in.texts.ts'

/** Signs in a device that shows a code, such as the command line or a television. */
export function DeviceSignIn() {
  const code = useLinkParameters().get('code') ?? ''
  const [waiting, setWaiting] = useState<WaitingDevice>()
  const [decision, setDecision] = useState<'approve' | 'deny'>()
  return (
    <SignInFrame title={deviceTexts.title}>
      {decision !== undefined ? (
        <>
          <Notice tone="success" title={deviceTexts.done[decision]} />
          <LinkButton to="/">{deviceTexts.toConsole}</LinkButton>
        </>
      ) : waiting !== undefined ? (
        <DeviceDecision device={waiting} onDecided={setDecision} />
      ) : (
        <ActionForm
          submitLabel={deviceTexts.code.submit}
          onSubmit={async (fields) => {
            const userCode = fields.get('userCode') ?? ''
            const params = { path: { userCode } }
            const found = await unwrap(api.GET('/api/auth/device/{userCode}', { params }))
            setWaiting({ userCode, name: found.clientName, isSignInRecent: found.isSignInRecent })
          }}
        >
          <TextField
            name="userCode"
            label={deviceTexts.code.label}
            description={deviceTexts.code.description}
            defaultValue={code}
            autoComplete="off"
            maxLength={20}
            isRequired
            autoFocus
          />
        </ActionForm>
      )}
    </SignInFrame>
  )
}
