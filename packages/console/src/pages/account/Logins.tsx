import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Login, loginsQuery, useLogins } from '../../api/security.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { loginTexts } from './access.texts.ts'
import { describeUserAgent } from './describe-user-agent.ts'

/** Where the user is signed in; each can be signed out, or all at once. */
export function Logins() {
  const logins = useQuery(loginsQuery)
  const { endAll } = useLogins()
  const navigate = useNavigate()
  return (
    <Card title={loginTexts.title} description={loginTexts.description}>
      <QueryState query={logins} skeleton="rows">
        {(found) => (
          <ItemList label={loginTexts.list}>
            {found.map((login) => (
              <LoginItem key={login.id} login={login} />
            ))}
          </ItemList>
        )}
      </QueryState>
      <div>
        <ConfirmButton
          title={loginTexts.endAllQuestion}
          description={<p>{loginTexts.endAllConsequence}</p>}
          confirmLabel={loginTexts.endAll}
          onConfirm={async () => {
            await endAll()
            await navigate({ to: '/sign-in' })
          }}
        >
          {loginTexts.endAll}
        </ConfirmButton>
      </div>
    </Card>
  )
}

function LoginItem({ login }: { readonly login: Login }) {
  const { end } = useLogins()
  const { id, isCurrent, userAgent, lastUsedAt, lastUsedIpAddress } = login
  const name = userAgent === null ? loginTexts.unknown : describeUserAgent(userAgent)
  return (
    <Item
      title={
        <>
          {name}
          {isCurrent && <Badge tone="success">{loginTexts.current}</Badge>}
        </>
      }
      details={<LastUse at={lastUsedAt} address={lastUsedIpAddress} />}
      actions={
        // The present one is signed out in the menu.
        !isCurrent && (
          <ConfirmButton
            aria-label={loginTexts.endLabel(name)}
            title={loginTexts.endQuestion(name)}
            description={<p>{loginTexts.endConsequence}</p>}
            confirmLabel={loginTexts.end}
            onConfirm={() => end(id)}
            success={loginTexts.ended}
          >
            {loginTexts.end}
          </ConfirmButton>
        )
      }
    />
  )
}
