import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAppChanges } from '../../api/developer.ts'
import { organizationsQuery } from '../../api/organizations.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { common } from '../../texts/common.ts'
import { developer } from '../../texts/developer.ts'
import { formatTime } from '../../texts/format.ts'
import { useDeveloperApp } from './developer-app.ts'
import { Images } from './Images.tsx'
import styles from './OverviewPage.module.css'

const texts = developer.overview

/** The state of an app: whether it is in the store, its images, its owner, and its end. */
export function OverviewPage() {
  return (
    <>
      <Publication />
      <Images />
      <Owner />
      <Deletion />
    </>
  )
}

/** Puts the app into the store or takes it out, and shows its review. */
function Publication() {
  const { packageName, name, publicUrl, appStoreStatus, review } = useDeveloperApp()
  const { publish, unpublish } = useAppChanges(packageName)
  const submission = useAction(publish, {
    success: ({ appStoreStatus: status }) =>
      status === 'PUBLISHED' ? texts.published(name) : texts.submitted(name),
    onFailure: reportFailure,
  })
  const isInStore = appStoreStatus === 'PUBLISHED'

  return (
    <Card title={texts.publication} description={texts.states[appStoreStatus]}>
      {review !== undefined && (
        <p>
          {texts.submittedAt(formatTime(review.submittedAt))}{' '}
          {review.decidedAt !== undefined && texts.decidedAt(formatTime(review.decidedAt))}
        </p>
      )}
      {review !== undefined && review.notes !== '' && (
        <Notice tone={appStoreStatus === 'REJECTED' ? 'danger' : 'success'} title={texts.notes}>
          {review.notes}
        </Notice>
      )}
      <CopyField label={texts.address} value={publicUrl} />
      <div className={styles.row}>
        {isInStore || appStoreStatus === 'SUBMITTED' ? (
          <ConfirmButton
            variant="secondary"
            title={isInStore ? texts.unpublishQuestion(name) : texts.withdrawQuestion(name)}
            description={<p>{isInStore ? texts.unpublishHint : texts.withdrawHint}</p>}
            confirmLabel={isInStore ? texts.unpublish : texts.withdraw}
            onConfirm={unpublish}
          >
            {isInStore ? texts.unpublish : texts.withdraw}
          </ConfirmButton>
        ) : (
          <Button variant="primary" isPending={submission.isPending} onPress={() => submission.run()}>
            {texts.publish}
          </Button>
        )}
        <LinkButton to="/store/$packageName" params={{ packageName }}>
          {texts.openInStore}
        </LinkButton>
      </div>
    </Card>
  )
}

/** Moves the app between the user and the organizations of the user. */
function Owner() {
  const { packageName, name, orgId = '', orgName } = useDeveloperApp()
  const { move } = useAppChanges(packageName)
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const [chosen, setChosen] = useState<string>()
  const options = [
    { value: '', label: developer.myself },
    ...organizations.map((organization) => ({ value: organization.id, label: organization.name })),
  ]
  const target = chosen ?? orgId
  const targetName = options.find(({ value }) => value === target)?.label ?? ''
  return (
    <Card title={texts.owner} description={texts.ownedBy(orgName ?? developer.myself)}>
      {organizations.length === 0 ? (
        <p>
          <LinkButton to="/organizations">{texts.toOrganizations}</LinkButton>
        </p>
      ) : (
        <div className={styles.row}>
          <Select label={texts.moveTo} options={options} value={target} onChange={setChosen} />
          <ConfirmButton
            variant="secondary"
            isDisabled={target === orgId}
            title={texts.moveQuestion(name, targetName)}
            description={<p>{target === '' ? texts.moveHintSelf : texts.moveHint(targetName)}</p>}
            confirmLabel={texts.move}
            success={texts.moved(name, targetName)}
            onConfirm={async () => {
              await move(target === '' ? null : target)
              setChosen(undefined)
            }}
          >
            {texts.move}
          </ConfirmButton>
        </div>
      )}
    </Card>
  )
}

/** Deletes the app, once its package name was typed. */
function Deletion() {
  const { packageName, name } = useDeveloperApp()
  const { remove } = useAppChanges(packageName)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { run, isPending, error } = useAction(() => remove(() => navigate({ to: '/developer' })), {
    success: texts.deleted(name),
  })

  return (
    <Card title={texts.deletion} description={texts.deletionHint}>
      <div>
        <Button variant="danger" onPress={() => setOpen(true)}>
          {texts.delete}
        </Button>
      </div>
      <Modal
        role="alertdialog"
        title={texts.deleteQuestion(name)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <ul>
          {texts.consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        <TextField label={texts.typeName(packageName)} value={typed} onChange={setTyped} autoComplete="off" />
        {error !== undefined && <p role="alert">{error.message}</p>}
        <Actions>
          <Button onPress={() => setOpen(false)} isDisabled={isPending}>
            {common.cancel}
          </Button>
          <Button
            variant="danger"
            isPending={isPending}
            isDisabled={typed !== packageName}
            onPress={() => run()}
          >
            {texts.delete}
          </Button>
        </Actions>
      </Modal>
    </Card>
  )
}
