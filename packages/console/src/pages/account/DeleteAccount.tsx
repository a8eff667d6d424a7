import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery, deletionQuery } from '../../api/account.ts'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Modal } from '../../components/Modal.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { useUrlText } from '../../url-state.ts'
import { deletionTexts } from './account.texts.ts'
import { DeletionForm } from './DeletionForm.tsx'

/** Deletes the account after a clear list of what goes with it, a recent sign-in and the typed address. */
export function DeleteAccount() {
  const deletion = useQuery(deletionQuery)
  // Part of the address, so that a new sign-in leads back to the dialog.
  const [isAsked, setAsked] = useUrlText('delete')
  return (
    <Card tone="danger" title={deletionTexts.title} description={deletionTexts.description}>
      <QueryState query={deletion} skeleton="text">
        {({ isLastAdministrator, isSignInRecent }) =>
          isLastAdministrator ? (
            <LastAdministrator />
          ) : (
            <>
              <div>
                <Button variant="danger" onPress={() => setAsked('yes')}>
                  {deletionTexts.open}
                </Button>
              </div>
              <Modal
                role="alertdialog"
                title={deletionTexts.question}
                isOpen={isAsked === 'yes'}
                onClose={() => setAsked('')}
              >
                <ul>
                  {deletionTexts.consequences.map((consequence) => (
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
  const { title, text, link } = deletionTexts.lastAdministrator
  return (
    <Notice tone="warning" title={title}>
      <p>{text}</p>
      <LinkButton to="/admin">{link}</LinkButton>
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
  const { title, text, signIn } = deletionTexts.signInFirst
  if (isTooOld) {
    return (
      <>
        <Notice tone="warning" title={title}>
          {text}
        </Notice>
        <LinkButton to="/sign-in" search={{ to: '/account/data?delete=yes' }}>
          {signIn}
        </LinkButton>
        <Button onPress={onCancel}>{deletionTexts.cancel}</Button>
      </>
    )
  }
  return (
    <QueryState query={account}>
      {({ email }) => <DeletionForm email={email} onCancel={onCancel} onTooOld={() => setTooOld(true)} />}
    </QueryState>
  )
}
