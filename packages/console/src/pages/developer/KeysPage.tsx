import { useQuery } from '@tanstack/react-query'
import { keysQuery, useKeyChanges } from '../../api/developer.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Table } from '../../components/Table.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { developer } from '../../texts/developer.ts'
import { formatTime } from '../../texts/format.ts'
import { useDeveloperApp } from './developer-app.ts'

const texts = developer.keys

/** Live keys at the same time, so that a key is rotated without interruption. */
const MAX_KEYS = 2

/** The API keys of an app: made, rotated and revoked. */
export function KeysPage() {
  const { packageName } = useDeveloperApp()
  const keys = useQuery(keysQuery(packageName))
  const { make, revoke } = useKeyChanges(packageName)
  const { run, isPending } = useAction(make, { onFailure: reportFailure })

  return (
    <Card title={texts.title} description={texts.hint}>
      <QueryState query={keys}>
        {(live) => (
          <>
            {live.length === 0 ? (
              <p>{texts.none}</p>
            ) : (
              <Table
                label={texts.title}
                rows={live}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'id',
                    label: texts.columns.id,
                    render: ({ id }) => (
                      <>
                        <code>{id}</code> {id === live[0]?.id && <Badge>{texts.newest}</Badge>}
                      </>
                    ),
                  },
                  {
                    id: 'made',
                    label: texts.columns.made,
                    render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
                  },
                  {
                    id: 'used',
                    label: texts.columns.used,
                    render: ({ lastUsedAt, lastUsedIpAddress }) => (
                      <LastUse at={lastUsedAt} address={lastUsedIpAddress} />
                    ),
                  },
                  {
                    id: 'actions',
                    label: texts.columns.actions,
                    isLabelHidden: true,
                    render: ({ id }) => (
                      <ConfirmButton
                        aria-label={texts.revokeKey(id)}
                        title={texts.revokeQuestion(id)}
                        description={<p>{live.length === 1 ? texts.revokeLastHint : texts.revokeHint}</p>}
                        confirmLabel={texts.revoke}
                        onConfirm={() => revoke(id)}
                        success={texts.revoked(id)}
                      >
                        {texts.revoke}
                      </ConfirmButton>
                    ),
                  },
                ]}
              />
            )}
            <div>
              {live.length < MAX_KEYS ? (
                <Button variant="primary" isPending={isPending} onPress={() => run()}>
                  {texts.make}
                </Button>
              ) : (
                <ConfirmButton
                  title={texts.thirdQuestion}
                  description={<p>{texts.thirdHint(live.at(-1)?.id ?? '')}</p>}
                  confirmLabel={texts.thirdConfirm}
                  onConfirm={make}
                >
                  {texts.make}
                </ConfirmButton>
              )}
            </div>
          </>
        )}
      </QueryState>
      <h3>{texts.rotation}</h3>
      <ol>
        {texts.rotationSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Card>
  )
}
