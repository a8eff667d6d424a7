import { useQuery } from '@tanstack/react-query'
import { type ApiKeyInfo, keysQuery, useKeyChanges } from '../../api/developer.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'

const STEPS = [
  'Make a new key. Both are valid then.',
  'Start the app server with the new key.',
  'Revoke the old key.',
] as const

/** Live keys at the same time, so that a key is rotated without interruption. */
const MAX_KEYS = 2

/** The API keys of an app: made, rotated and revoked. */
export function KeysPage() {
  const { packageName } = useDeveloperApp()
  const keys = useQuery(keysQuery(packageName))
  return (
    <>
      <Card
        title="API keys"
        description="The app server proves with a key who it is. The cloud does not keep keys and cannot show them again."
        actions={keys.data !== undefined && <MakeKey keys={keys.data} />}
      >
        <QueryState query={keys} skeleton="rows">
          {(live) => <Keys keys={live} />}
        </QueryState>
      </Card>
      <Card title="Replace a key without interruption">
        <ol className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
    </>
  )
}

interface KeysProps {
  /** Newest first. */
  readonly keys: readonly ApiKeyInfo[]
}

function Keys({ keys }: KeysProps) {
  if (keys.length === 0)
    return (
      <Notice tone="warning" title="The app has no key, so it cannot connect">
        Make one, and start the app server with it.
      </Notice>
    )
  const columns: readonly Column<ApiKeyInfo>[] = [
    {
      id: 'id',
      label: 'Key',
      render: ({ id, isSigning }) => (
        <>
          <code>{id}</code> {id === keys[0]?.id && <Badge>Newest</Badge>}{' '}
          {!isSigning && <Badge tone="danger">Cannot sign</Badge>}
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
      render: ({ lastUsedAt, lastUsedIpAddress }) => <LastUse at={lastUsedAt} address={lastUsedIpAddress} />,
    },
    {
      id: 'actions',
      label: 'Actions',
      isLabelHidden: true,
      render: ({ id }) => <RevokeButton id={id} isOnly={keys.length === 1} />,
    },
  ]
  return (
    <>
      {keys.some(({ isSigning }) => !isSigning) && (
        <Notice tone="danger" title="The cloud cannot sign its calls with every key">
          AUTH_SECRET of this cloud has changed since they were made, so that the app server rejects calls, or
          starts fail. Make a new key, start the app server with it, and revoke the old ones.
        </Notice>
      )}
      <Table label="API keys" rows={keys} keyOf={({ id }) => id} columns={columns} />
    </>
  )
}

function MakeKey({ keys }: KeysProps) {
  const { packageName } = useDeveloperApp()
  const { make } = useKeyChanges(packageName)
  const { run, isPending } = useAction(make, { onFailure: reportFailure })
  if (keys.length < MAX_KEYS)
    return (
      <Button variant="primary" isPending={isPending} onPress={() => run()}>
        Make a new key
      </Button>
    )
  return (
    <ConfirmButton
      variant="primary"
      title="Make a third key?"
      description={
        <p>
          At most two keys are valid at a time. The oldest one, {keys.at(-1)?.id ?? ''}, is revoked, and app
          servers that use it lose their connections.
        </p>
      }
      confirmLabel="Make the key and revoke the oldest"
      onConfirm={make}
    >
      Make a new key
    </ConfirmButton>
  )
}

function RevokeButton({ id, isOnly }: { readonly id: string; readonly isOnly: boolean }) {
  const { packageName } = useDeveloperApp()
  const { revoke } = useKeyChanges(packageName)
  return (
    <ConfirmButton
      aria-label={`Revoke key ${id}`}
      title={`Revoke the key ${id}?`}
      description={
        <p>
          {isOnly
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
  )
}
