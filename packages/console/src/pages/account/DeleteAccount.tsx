import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { account } from '../../texts/account.ts'

const texts = account.deletion

/** Deletes the account after a clear list of what goes with it. */
export function DeleteAccount() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Card title={texts.title} description={texts.description}>
      <div>
        <ConfirmButton
          title={texts.question}
          description={
            <ul>
              {texts.consequences.map((consequence) => (
                <li key={consequence}>{consequence}</li>
              ))}
            </ul>
          }
          confirmLabel={texts.confirm}
          onConfirm={async () => {
            await unwrap(api.POST('/api/account/request-deletion', { body: {} }))
            queryClient.clear()
            await navigate({ to: '/sign-in' })
          }}
        >
          {texts.button}
        </ConfirmButton>
      </div>
    </Card>
  )
}
