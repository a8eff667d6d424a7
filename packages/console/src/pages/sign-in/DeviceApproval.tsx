import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button, LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'

export interface DeviceApprovalProps {
  /** Address of the signed-in user. */
  readonly email: string
  /** The code, if a link has it. */
  readonly code?: string
  /** Whether the field takes the focus. */
  readonly isFocused?: boolean
  readonly onDecided: (decision: Decision) => void
}

/** Asks for the code that a device shows, and then whether the device may sign in as the user. */
export function DeviceApproval({ email, code = '', isFocused = false, onDecided }: DeviceApprovalProps) {
  const [waiting, setWaiting] = useState<WaitingDevice>()
  if (waiting !== undefined) return <DeviceDecision device={waiting} email={email} onDecided={onDecided} />
  return (
    <ActionForm
      submitLabel="Continue"
      onSubmit={async (fields) => {
        const userCode = fields.get('userCode') ?? ''
        const params = { path: { userCode } }
        const found = await unwrap(api.GET('/api/auth/device/{userCode}', { params }))
        setWaiting({ userCode, name: found.clientName, isSignInRecent: found.isSignInRecent })
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
        autoFocus={isFocused}
      />
    </ActionForm>
  )
}

/** What the user decides about a device. */
export type Decision = 'approve' | 'deny'

/** A device that waits for a decision of the user. */
interface WaitingDevice {
  readonly userCode: string
  /** What the device calls itself. */
  readonly name: string | null
  /** Whether the user signed in within the last hour. */
  readonly isSignInRecent: boolean
}

interface DeviceDecisionProps {
  readonly device: WaitingDevice
  /** Address of the signed-in user. */
  readonly email: string
  readonly onDecided: (decision: Decision) => void
}

/** Asks whether the device may sign in as the user; who was tricked into opening the page can still reject it. */
function DeviceDecision({ device, email, onDecided }: DeviceDecisionProps) {
  const { userCode, name, isSignInRecent } = device
  const denial = useAction(async () => {
    await unwrap(api.POST('/api/auth/device/deny', { body: { userCode } }))
    onDecided('deny')
  })
  const question = `Sign in ${name ?? 'this device'} as ${email}?`

  return (
    <>
      {isSignInRecent ? (
        <ActionForm
          submitLabel="Sign in the device"
          onSubmit={async () => {
            await unwrap(api.POST('/api/auth/device/approve', { body: { userCode } }))
            onDecided('approve')
          }}
        >
          <p role="status">{question}</p>
          <p className="muted">
            Continue only if you started this yourself: the device gets access to your account.
          </p>
        </ActionForm>
      ) : (
        <>
          <p role="status">{question}</p>
          <Notice tone="warning" title="Sign in again first">
            You signed in more than an hour ago. A device gets access only shortly after a sign-in.
          </Notice>
          <LinkButton to="/sign-in" search={{ to: `/device#code=${encodeURIComponent(userCode)}` }}>
            Sign in again
          </LinkButton>
        </>
      )}
      {denial.error !== undefined && <Notice tone="danger" title={denial.error.message} />}
      <Button isPending={denial.isPending} onPress={() => denial.run()}>
        Reject
      </Button>
    </>
  )
}
