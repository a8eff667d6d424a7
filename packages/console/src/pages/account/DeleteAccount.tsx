import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery, deletionQuery } from '../../api/account.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { Modal } from '../../components/Modal.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { useUrlText } from '../../url-state.ts'
import { DeletionForm } from './DeletionForm.tsx'

const CONSEQUENCES = [
  'Your glasses are disconnected, and all apps stop.',
  'Your photos and recordings, settings, installed apps, reports, and what apps stored about you on this cloud are deleted.',
  'What apps stored on servers of their own is not: ask their developers.',
  'Your apps that nobody else owns are unpublished and lose their keys; organizations without other members are removed.',
  'You are signed out everywhere. A new account with the same address starts empty. This cannot be undone.',
] as const

/** Deletes the account after a clear list of what goes with it, a recent sign-in and the typed address. */
export function DeleteAccount() {
  const deletion = useQuery(deletionQuery)
  // Part of the address, so that a new sign-in leads back to the dialog.
  const [isAsked, setAsked] = useUrlText('delete')
  return (
    <Card
      tone="danger"
      title="Delete the account"
      description="Deletes your account and everything that belongs to it."
    >
      <QueryState query={deletion} skeleton="text">
        {({ isLastAdministrator, isSignInRecent }) =>
          isLastAdministrator ? (
            <LastAdministrator />
          ) : (
            <>
              <div>
                <Button variant="danger" onPress={() => setAsked('yes')}>
                  Delete my account
                </Button>
              </div>
              <Modal
                role="alertdialog"
                title="Delete your account for good?"
                isOpen={isAsked === 'yes'}
                onClose={() => setAsked('')}
              >
                <ul>
                  {CONSEQUENCES.map((consequence) => (
                    <li key={consequence}>{consequence}</li>
                  ))}
                </ul>
                <Confirmation isSignInRecent={isSignInRecent} onCancel={() => setAsked('')} />
              </Modal>
            </>
          )
        }
      </QueryState>
    </Card>
  )
}

function LastAdministrator() {
  return (
    <Notice tone="warning" title="You are the last administrator of this cloud">
      <p>Make another user an administrator before you delete your account.</p>
      <LinkButton to="/admin">Go to the users</LinkButton>
    </Notice>
  )
}

interface ConfirmationProps {
  readonly isSignInRecent: boolean
  readonly onCancel: () => void
}

function Confirmation({ isSignInRecent, onCancel }: ConfirmationProps) {
  const account = useQuery(accountQuery)
  // A sign-in that was recent when the page was opened may be too old when the form is sent.
  const [isTooOld, setTooOld] = useState(!isSignInRecent)

  if (isTooOld) {
    return (
      <>
        <Notice tone="warning" title="Sign in again first">
          You signed in more than an hour ago. A new sign-in shows that it is you, and leads back here.
        </Notice>
        <LinkButton to="/sign-in" search={{ to: '/account/data?delete=yes' }}>
          Sign in again
        </LinkButton>
        <Button onPress={onCancel}>Cancel</Button>
      </>
    )
  }
  return (
    <QueryState query={account}>
      {({ email }) => <DeletionForm email={email} onCancel={onCancel} onTooOld={() => setTooOld(true)} />}
    </QueryState>
  )
}
