import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Login, loginsQuery, useLogins } from '../../api/security.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { security } from '../../texts/security.ts'
import { describeUserAgent } from '../../texts/user-agent.ts'

const texts = security.logins

/** Where the user is signed in; each can be signed out, or all at once. */
export function Logins() {
  const logins = useQuery(loginsQuery)
  const { endAll } = useLogins()
  const navigate = useNavigate()
  return (
    <Card title={texts.title} description={texts.description}>
      <QueryState query={logins}>
        {(found) => (
          <ItemList label={texts.list}>
            {found.map((login) => (
              <LoginItem key={login.id} login={login} />
            ))}
          </ItemList>
        )}
      </QueryState>
      <div>
        <ConfirmButton
          title={texts.endAllQuestion}
          description={<p>{texts.endAllHint}</p>}
          confirmLabel={texts.endAll}
          onConfirm={async () => {
            await endAll()
            await navigate({ to: '/sign-in' })
          }}
        >
          {texts.endAll}
        </ConfirmButton>
      </div>
    </Card>
  )
}

function LoginItem({ login }: { readonly login: Login }) {
  const { end } = useLogins()
  const { id, isCurrent, userAgent, lastUsedAt, lastUsedIpAddress } = login
  const name = userAgent === null ? texts.unknown : describeUserAgent(userAgent)
  return (
    <Item
      title={
        <>
          {name}
          {isCurrent && <Badge tone="success">{texts.current}</Badge>}
        </>
      }
      details={<LastUse at={lastUsedAt} address={lastUsedIpAddress} />}
      actions={
        // The present one is signed out in the menu.
        !isCurrent && (
          <ConfirmButton
            aria-label={texts.endLabel(name)}
            title={texts.endQuestion(name)}
            description={<p>{texts.endHint}</p>}
            confirmLabel={texts.end}
            onConfirm={() => end(id)}
            success={texts.ended}
          >
            {texts.end}
          </ConfirmButton>
        )
      }
    />
  )
}
