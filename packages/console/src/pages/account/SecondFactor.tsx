import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type SecondFactorSetUp, signInMethodsQuery, useSecondFactor } from '../../api/security.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { Card } from '../../components/Page.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import { QueryState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'
import { PasswordField } from '../sign-in/PasswordField.tsx'
import styles from './SecondFactor.module.css'

type OpenDialog = 'set-up' | 'disable' | 'new-codes'

/** Codes of an authenticator app: set up, replace the backup codes, turn off. */
export function SecondFactor() {
  const methods = useQuery(signInMethodsQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  return (
    <Card
      title="Second factor"
      description="A code of an authenticator app, required together with your password, so that the password alone is worth nothing."
      actions={methods.data?.hasPassword === true && <State {...methods.data} onOpen={setDialog} />}
    >
      <QueryState query={methods}>
        {({ hasPassword }) =>
          !hasPassword && <p>It protects the sign-in with a password, which you do not have.</p>
        }
      </QueryState>
      <SetUpDialog isOpen={dialog === 'set-up'} onClose={close} />
      <DisableDialog isOpen={dialog === 'disable'} onClose={close} />
      <NewCodesDialog isOpen={dialog === 'new-codes'} onClose={close} />
    </Card>
  )
}

interface StateProps {
  readonly requiresCode: boolean
  readonly onOpen: (dialog: OpenDialog) => void
}

/** Whether codes are required, and what can be done about it. */
function State({ requiresCode, onOpen }: StateProps) {
  if (!requiresCode) {
    return (
      <>
        <span className={styles.state}>
          <Badge tone="neutral">Off</Badge>
        </span>
        <Button onPress={() => onOpen('set-up')}>Set up</Button>
      </>
    )
  }
  return (
    <>
      <span className={styles.state}>
        <Badge tone="success">On</Badge>
      </span>
      <Button onPress={() => onOpen('new-codes')}>New backup codes</Button>
      <Button variant="danger" onPress={() => onOpen('disable')}>
        Turn off
      </Button>
    </>
  )
}

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Three steps: the password, the app, the backup codes. */
function SetUpDialog({ isOpen, onClose }: DialogProps) {
  return (
    <Modal title="Second factor" isOpen={isOpen} onClose={onClose}>
      <SetUpSteps onClose={onClose} />
    </Modal>
  )
}

function SetUpSteps({ onClose }: Pick<DialogProps, 'onClose'>) {
  const factor = useSecondFactor()
  const [setUp, setSetUp] = useState<SecondFactorSetUp>()
  const [isVerified, setVerified] = useState(false)
  if (setUp === undefined)
    return <PasswordForm onSubmit={async (password) => setSetUp(await factor.prepare(password))} />
  if (isVerified) return <BackupCodes codes={setUp.backupCodes} onClose={onClose} />
  const secret = new URL(setUp.totpURI).searchParams.get('secret') ?? ''
  return (
    <>
      <p>Scan this with your authenticator app, then enter the code that it shows.</p>
      <QrCode label="QR code for the authenticator app" content={setUp.totpURI} />
      <CopyField label="Or enter this key in the app" value={secret} />
      <ActionForm
        submitLabel="Turn on"
        onSubmit={async (fields) => {
          await factor.verify((fields.get('code') ?? '').replaceAll(/\s/g, ''))
          setVerified(true)
        }}
      >
        <TextField
          name="code"
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
          autoFocus
        />
      </ActionForm>
    </>
  )
}

function DisableDialog({ isOpen, onClose }: DialogProps) {
  const factor = useSecondFactor()
  return (
    <Modal title="Turn off" isOpen={isOpen} onClose={onClose}>
      <PasswordForm
        success="Codes are no longer required"
        onSubmit={async (password) => {
          await factor.disable(password)
          onClose()
        }}
      />
    </Modal>
  )
}

function NewCodesDialog({ isOpen, onClose }: DialogProps) {
  return (
    <Modal title="New backup codes" isOpen={isOpen} onClose={onClose}>
      <NewCodesSteps onClose={onClose} />
    </Modal>
  )
}

function NewCodesSteps({ onClose }: Pick<DialogProps, 'onClose'>) {
  const factor = useSecondFactor()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes !== undefined) return <BackupCodes codes={codes} onClose={onClose} />
  return <PasswordForm onSubmit={async (password) => setCodes(await factor.newBackupCodes(password))} />
}

interface PasswordFormProps {
  readonly success?: string
  readonly onSubmit: (password: string) => Promise<unknown>
}

function PasswordForm({ success, onSubmit }: PasswordFormProps) {
  return (
    <ActionForm
      submitLabel="Continue"
      success={success}
      onSubmit={(fields) => onSubmit(fields.get('password') ?? '')}
    >
      <PasswordField
        name="password"
        label="Your password"
        autoComplete="current-password"
        isRequired
        autoFocus
      />
    </ActionForm>
  )
}

interface BackupCodesProps extends Pick<DialogProps, 'onClose'> {
  readonly codes: readonly string[]
}

function BackupCodes({ codes, onClose }: BackupCodesProps) {
  return (
    <>
      <h3>Backup codes</h3>
      <p>
        Each replaces a code of the app once. Keep them where you find them without your phone. They are not
        shown again.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CopyField label="Backup codes" value={codes.join(' ')} />
      <Actions>
        <Button variant="primary" onPress={onClose} autoFocus>
          I have kept them
        </Button>
      </Actions>
    </>
  )
}
