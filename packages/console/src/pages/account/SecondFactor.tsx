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
import { QueryState } from '../../components/QueryState.tsx'
import { TextField } from '../../components/TextField.tsx'
import { security } from '../../texts/security.ts'
import styles from './SecondFactor.module.css'

const texts = security.secondFactor

type OpenDialog = 'set-up' | 'disable' | 'new-codes'

/** Codes of an authenticator app: set up, replace the backup codes, turn off. */
export function SecondFactor() {
  const methods = useQuery(signInMethodsQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  return (
    <Card title={texts.title} description={texts.description}>
      <QueryState query={methods}>
        {({ hasPassword, requiresCode }) =>
          hasPassword ? (
            <div className={styles.row}>
              <Badge tone={requiresCode ? 'success' : 'neutral'}>{requiresCode ? texts.on : texts.off}</Badge>
              {requiresCode ? (
                <>
                  <Button onPress={() => setDialog('new-codes')}>{texts.newCodes}</Button>
                  <Button variant="danger" onPress={() => setDialog('disable')}>
                    {texts.disable}
                  </Button>
                </>
              ) : (
                <Button onPress={() => setDialog('set-up')}>{texts.setUp}</Button>
              )}
            </div>
          ) : (
            <p>{texts.needsPassword}</p>
          )
        }
      </QueryState>
      <SetUpDialog isOpen={dialog === 'set-up'} onClose={close} />
      <DisableDialog isOpen={dialog === 'disable'} onClose={close} />
      <NewCodesDialog isOpen={dialog === 'new-codes'} onClose={close} />
    </Card>
  )
}

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Three steps: the password, the app, the backup codes. */
function SetUpDialog({ isOpen, onClose }: DialogProps) {
  return (
    <Modal title={texts.title} isOpen={isOpen} onClose={onClose}>
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
      <p>{texts.scan}</p>
      <QrCode label={texts.qrCode} content={setUp.totpURI} />
      <CopyField label={texts.secret} value={secret} />
      <ActionForm
        submitLabel={texts.confirm}
        onSubmit={async (fields) => {
          await factor.verify((fields.get('code') ?? '').replaceAll(/\s/g, ''))
          setVerified(true)
        }}
      >
        <TextField
          name="code"
          label={texts.code}
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
    <Modal title={texts.disable} isOpen={isOpen} onClose={onClose}>
      <PasswordForm
        success={texts.disabled}
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
    <Modal title={texts.newCodes} isOpen={isOpen} onClose={onClose}>
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
      submitLabel={texts.next}
      success={success}
      onSubmit={(fields) => onSubmit(fields.get('password') ?? '')}
    >
      <TextField
        name="password"
        type="password"
        label={texts.password}
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
      <h3>{texts.backupTitle}</h3>
      <p>{texts.backupHint}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CopyField label={texts.backupCodes} value={codes.join(' ')} />
      <Actions>
        <Button variant="primary" onPress={onClose} autoFocus>
          {texts.done}
        </Button>
      </Actions>
    </>
  )
}
