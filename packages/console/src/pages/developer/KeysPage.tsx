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
import { formatTime } from '../../format.ts'
import { useDeveloperApp } from './developer-app.ts'

const texts = {
  rotationSteps: [
    'Make a new key. Both are valid then.',
    'Start the app server with the new key.',
    'Revoke the old key.',
  ],
} as const

/** Live keys at the same time, so that a key is rotated without interruption. */
const MAX_KEYS = 2

/** The API keys of an app: made, rotated and revoked. */
export function KeysPage() {
  const { packageName } = useDeveloperApp()
  const keys = useQuery(keysQuery(packageName))
  const { make, revoke } = useKeyChanges(packageName)
  const { run, isPending } = useAction(make, { onFailure: reportFailure })

  return (
    <Card
      title="API keys"
      description="The app server proves with a key who it is. The cloud does not keep keys and cannot show them again."
    >
      <QueryState query={keys}>
        {(live) => (
          <>
            {live.length === 0 ? (
              <p>The app has no key, so it cannot connect. Make one.</p>
            ) : (
              <Table
                label="API keys"
                rows={live}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'id',
                    label: 'Key',
                    render: ({ id }) => (
                      <>
                        <code>{id}</code> {id === live[0]?.id && <Badge>Newest</Badge>}
                      </>
                    ),
                  },
                  {
                    id: 'made',
                    label: 'Made',
                    render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
                  },
                  {
                    id: 'used',
                    label: 'Last use',
                    render: ({ lastUsedAt, lastUsedIpAddress }) => (
                      <LastUse at={lastUsedAt} address={lastUsedIpAddress} />
                    ),
                  },
                  {
                    id: 'actions',
                    label: 'Actions',
                    isLabelHidden: true,
                    render: ({ id }) => (
                      <ConfirmButton
                        aria-label={`Revoke key ${id}`}
                        title={`Revoke the key ${id}?`}
                        description={
                          <p>
                            {live.length === 1
                              ? 'It is the only key: the app loses its connections and cannot start until it has another one.'
                              : 'App servers that use it lose their connections at once.'}
                          </p>
                        }
                        confirmLabel="Revoke"
                        onConfirm={() => revoke(id)}
                        success={`The key ${id} is revoked`}
                      >
                        Revoke
                      </ConfirmButton>
                    ),
                  },
                ]}
              />
            )}
            <div>
              {live.length < MAX_KEYS ? (
                <Button variant="primary" isPending={isPending} onPress={() => run()}>
                  Make a new key
                </Button>
              ) : (
                <ConfirmButton
                  title="Make a third key?"
                  description={
                    <p>{`At most two keys are valid at a time. The oldest one, ${live.at(-1)?.id ?? ''}, is revoked, and app servers that use it lose their connections.`}</p>
                  }
                  confirmLabel="Make the key and revoke the oldest"
                  onConfirm={make}
                >
                  Make a new key
                </ConfirmButton>
              )}
            </div>
          </>
        )}
      </QueryState>
      <h3>Replace a key without interruption</h3>
      <ol>
        {texts.rotationSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Card>
  )
}
