import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { TextField } from '../../components/TextField.tsx'
import { type Decision, DeviceDecision, type WaitingDevice } from './DeviceDecision.tsx'

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
