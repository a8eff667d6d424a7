import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Login, loginsQuery, useLogins } from '../../api/security.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { describeUserAgent } from './describe-user-agent.ts'

/** Where the user is signed in; each can be signed out, or all at once. */
export function Logins() {
  const logins = useQuery(loginsQuery)
  const { endAll } = useLogins()
  const navigate = useNavigate()
  return (
    <Card
      title="Where you are signed in"
      description="Browsers, phones and programs that have access to your account."
    >
      <QueryState query={logins} skeleton="rows">
        {(found) => (
          <ItemList label="Sign-ins">
            {found.map((login) => (
              <LoginItem key={login.id} login={login} />
            ))}
          </ItemList>
        )}
      </QueryState>
      <div>
        <ConfirmButton
          title="Sign out everywhere?"
          description={
            <p>
              All browsers, phones and programs are signed out, this one as well, and your glasses are
              disconnected. Personal access tokens no longer work.
            </p>
          }
          confirmLabel="Sign out everywhere"
          onConfirm={async () => {
            await endAll()
            await navigate({ to: '/sign-in' })
          }}
        >
          Sign out everywhere
        </ConfirmButton>
      </div>
    </Card>
  )
}

function LoginItem({ login }: { readonly login: Login }) {
  const { end } = useLogins()
  const { id, isCurrent, userAgent, lastUsedAt, lastUsedIpAddress } = login
  const name = userAgent === null ? 'Unknown program' : describeUserAgent(userAgent)
  return (
    <Item
      title={
        <>
          {name}
          {isCurrent && <Badge tone="success">This browser</Badge>}
        </>
      }
      details={<LastUse at={lastUsedAt} address={lastUsedIpAddress} />}
      actions={
        // The present one is signed out in the menu.
        !isCurrent && (
          <ConfirmButton
            aria-label={`Sign out ${name}`}
            title={`Sign out ${name}?`}
            description={<p>It has to sign in again to use your account.</p>}
            confirmLabel="Sign out"
            onConfirm={() => end(id)}
            success="Signed out there"
          >
            Sign out
          </ConfirmButton>
        )
      }
    />
  )
}
