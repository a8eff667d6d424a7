import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'

/** What the user decides about a device. */
export type Decision = 'approve' | 'deny'

/** A device that waits for a decision of the user. */
export interface WaitingDevice {
  readonly userCode: string
  /** What the device calls itself. */
  readonly name: string | null
  /** Whether the user signed in within the last hour. */
  readonly isSignInRecent: boolean
}

export interface DeviceDecisionProps {
  readonly device: WaitingDevice
  /** Address of the signed-in user. */
  readonly email: string
  readonly onDecided: (decision: Decision) => void
}

/** Asks whether the device may sign in as the user; who was tricked into opening the page can still reject it. */
export function DeviceDecision({ device, email, onDecided }: DeviceDecisionProps) {
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
