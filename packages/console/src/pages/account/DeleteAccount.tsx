import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'

const texts = {
  consequences: [
    'Your glasses are disconnected, and all apps stop.',
    'Your photos and recordings, settings, installed apps, reports, and what apps stored about you on this cloud are deleted.',
    'What apps stored on servers of their own is not: ask their developers.',
    'Your apps that nobody else owns are unpublished and lose their keys; organizations without other members are removed.',
    'You are signed out everywhere. A new account with the same address starts empty. This cannot be undone.',
  ],
} as const

/** Deletes the account after a clear list of what goes with it. */
export function DeleteAccount() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Card title="Delete the account" description="Deletes your account and everything that belongs to it.">
      <div>
        <ConfirmButton
          title="Delete your account for good?"
          description={
            <ul>
              {texts.consequences.map((consequence) => (
                <li key={consequence}>{consequence}</li>
              ))}
            </ul>
          }
          confirmLabel="Delete everything"
          onConfirm={async () => {
            await unwrap(api.POST('/api/account/request-deletion', { body: {} }))
            queryClient.clear()
            await navigate({ to: '/sign-in' })
          }}
        >
          Delete my account
        </ConfirmButton>
      </div>
    </Card>
  )
}
