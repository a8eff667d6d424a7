import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'
import { deviceTexts } from './sign-in.texts.ts'

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
  const question = deviceTexts.question(name ?? deviceTexts.unnamed, email)

  return (
    <>
      {isSignInRecent ? (
        <ActionForm
          submitLabel={deviceTexts.approve}
          onSubmit={async () => {
            await unwrap(api.POST('/api/auth/device/approve', { body: { userCode } }))
            onDecided('approve')
          }}
        >
          <p role="status">{question}</p>
          <p className="muted">{deviceTexts.warning}</p>
        </ActionForm>
      ) : (
        <>
          <p role="status">{question}</p>
          <Notice tone="warning" title={deviceTexts.tooOld.title}>
            {deviceTexts.tooOld.text}
          </Notice>
          <LinkButton to="/sign-in" search={{ to: `/device#code=${encodeURIComponent(userCode)}` }}>
            {deviceTexts.tooOld.signIn}
          </LinkButton>
        </>
      )}
      {denial.error !== undefined && <Notice tone="danger" title={denial.error.message} />}
      <Button isPending={denial.isPending} onPress={() => denial.run()}>
        {deviceTexts.deny}
      </Button>
    </>
  )
}
