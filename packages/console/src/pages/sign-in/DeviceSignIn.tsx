import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import { useLinkParameters } from '../../link-parameters.ts'
import { SignInFrame } from './SignInFrame.tsx'

const device = { done: { approve: 'The device is signed in', deny: 'The sign-in was rejected' } } as const

/** A device that waits for a decision of the user. */
interface WaitingDevice {
  readonly userCode: string
  /** What the device calls itself. */
  readonly name: string | null
}

/** Signs in a device that shows a code, such as the command line or a television. */
export function DeviceSignIn() {
  const code = useLinkParameters().get('code') ?? ''
  const [waiting, setWaiting] = useState<WaitingDevice>()
  const [decision, setDecision] = useState<'approve' | 'deny'>()
  return (
    <SignInFrame title="Sign in on a device">
      {decision !== undefined ? (
        <>
          <Notice tone="success" title={device.done[decision]} />
          <LinkButton to="/">Go to the console</LinkButton>
        </>
      ) : waiting !== undefined ? (
        <Decision device={waiting} onDecided={setDecision} />
      ) : (
        <ActionForm
          submitLabel="Continue"
          onSubmit={async (fields) => {
            const userCode = fields.get('userCode') ?? ''
            const params = { path: { userCode } }
            const found = await unwrap(api.GET('/api/auth/device/{userCode}', { params }))
            setWaiting({ userCode, name: found.clientName })
          }}
        >
          <TextField
            name="userCode"
            label="Code"
            description="The code that the device shows."
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

interface DecisionProps {
  readonly device: WaitingDevice
  readonly onDecided: (decision: 'approve' | 'deny') => void
}

/** Asks whether the device may sign in as the user; who was tricked into opening the page can still reject it. */
function Decision({ device: { userCode, name }, onDecided }: DecisionProps) {
  const { user } = useRouteContext({ from: '/device' })
  const denial = useAction(async () => {
    await unwrap(api.POST('/api/auth/device/deny', { body: { userCode } }))
    onDecided('deny')
  })

  return (
    <>
      <ActionForm
        submitLabel="Sign in the device"
        onSubmit={async () => {
          await unwrap(api.POST('/api/auth/device/approve', { body: { userCode } }))
          onDecided('approve')
        }}
      >
        <p role="status">{`Sign in ${name ?? 'this device'} as ${user.email}?`}</p>
        <p className="muted">
          Continue only if you started this yourself: the device gets access to your account.
        </p>
      </ActionForm>
      {denial.error !== undefined && <Notice tone="danger" title={denial.error.message} />}
      <Button isPending={denial.isPending} onPress={() => denial.run()}>
        Reject
      </Button>
    </>
  )
}
