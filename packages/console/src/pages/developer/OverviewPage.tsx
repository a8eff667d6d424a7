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
import { formatTime } from '../../format.ts'
import { useDeveloperApp } from './developer-app.ts'
import { Images } from './Images.tsx'
import styles from './OverviewPage.module.css'

const texts = {
  states: {
    DEVELOPMENT: 'Only you and the members of its organization see the app.',
    SUBMITTED: 'An administrator of this cloud reviews the app. Until then only its owners see it.',
    REJECTED: 'An administrator rejected the app. Change what the notes say, and publish it again.',
    PUBLISHED: 'Everyone on this cloud can install the app.',
  },
  consequences: [
    'It stops for all wearers and is uninstalled.',
    'Its keys, images, log and what it stored about wearers are deleted.',
    'Its package name is free for others. This cannot be undone.',
  ],
} as const

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
      status === 'PUBLISHED' ? `${name} is in the store` : `${name} is submitted for review`,
    onFailure: reportFailure,
  })
  const isInStore = appStoreStatus === 'PUBLISHED'

  return (
    <Card title="Store" description={texts.states[appStoreStatus]}>
      {review !== undefined && (
        <p>
          {`Submitted ${formatTime(review.submittedAt)}.`}{' '}
          {review.decidedAt !== undefined && `Decided ${formatTime(review.decidedAt)}.`}
        </p>
      )}
      {review !== undefined && review.notes !== '' && (
        <Notice tone={appStoreStatus === 'REJECTED' ? 'danger' : 'success'} title="Notes of the reviewer">
          {review.notes}
        </Notice>
      )}
      <CopyField label="Address of the app server" value={publicUrl} />
      <div className={styles.row}>
        {isInStore || appStoreStatus === 'SUBMITTED' ? (
          <ConfirmButton
            variant="secondary"
            title={isInStore ? `Take ${name} out of the store?` : `Withdraw ${name} from review?`}
            description={
              <p>
                {isInStore
                  ? 'Nobody else can install it any longer. Wearers who have it keep it.'
                  : 'It stays as it is, and can be submitted again.'}
              </p>
            }
            confirmLabel={isInStore ? 'Unpublish' : 'Withdraw from review'}
            onConfirm={unpublish}
          >
            {isInStore ? 'Unpublish' : 'Withdraw from review'}
          </ConfirmButton>
        ) : (
          <Button variant="primary" isPending={submission.isPending} onPress={() => submission.run()}>
            Publish
          </Button>
        )}
        <LinkButton to="/store/$packageName" params={{ packageName }}>
          Open in the store
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
    { value: '', label: 'You' },
    ...organizations.map((organization) => ({ value: organization.id, label: organization.name })),
  ]
  const target = chosen ?? orgId
  const targetName = options.find(({ value }) => value === target)?.label ?? ''
  return (
    <Card title="Owner" description={`Owner: ${orgName ?? 'You'}`}>
      {organizations.length === 0 ? (
        <p>
          <LinkButton to="/organizations">Make an organization to share the app</LinkButton>
        </p>
      ) : (
        <div className={styles.row}>
          <Select label="New owner" options={options} value={target} onChange={setChosen} />
          <ConfirmButton
            variant="secondary"
            isDisabled={target === orgId}
            title={`Move ${name} to ${targetName}?`}
            description={
              <p>
                {target === ''
                  ? 'The members of the organization lose their access to it.'
                  : `All members of ${targetName} can change and publish it, and only its administrators can move or delete it.`}
              </p>
            }
            confirmLabel="Move"
            success={`${name} belongs to ${targetName}`}
            onConfirm={async () => {
              await move(target === '' ? null : target)
              setChosen(undefined)
            }}
          >
            Move
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
    success: `${name} is deleted`,
  })

  return (
    <Card title="Delete the app" description="Deletes the app for everyone. To hide it only, unpublish it.">
      <div>
        <Button variant="danger" onPress={() => setOpen(true)}>
          Delete the app
        </Button>
      </div>
      <Modal
        role="alertdialog"
        title={`Delete ${name} for good?`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <ul>
          {texts.consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        <TextField
          label={`Type ${packageName} to confirm`}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
        {error !== undefined && <p role="alert">{error.message}</p>}
        <Actions>
          <Button onPress={() => setOpen(false)} isDisabled={isPending}>
            Cancel
          </Button>
          <Button
            variant="danger"
            isPending={isPending}
            isDisabled={typed !== packageName}
            onPress={() => run()}
          >
            Delete the app
          </Button>
        </Actions>
      </Modal>
    </Card>
  )
}
