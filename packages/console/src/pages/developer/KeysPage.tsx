import { useQuery } from '@tanstack/react-query'
import { type ApiKeyInfo, keysQuery, useKeyChanges } from '../../api/developer.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'
import { keysTexts as texts } from './keys.texts.ts'

/** Live keys at the same time, so that a key is rotated without interruption. */
const MAX_KEYS = 2

/** The API keys of an app: made, rotated and revoked. */
export function KeysPage() {
  const { packageName } = useDeveloperApp()
  const keys = useQuery(keysQuery(packageName))
  return (
    <>
      <Card
        title={texts.title}
        description={texts.description}
        actions={keys.data !== undefined && <MakeKey keys={keys.data} />}
      >
        <QueryState query={keys} skeleton="rows">
          {(live) => <Keys keys={live} />}
        </QueryState>
      </Card>
      <Card title={texts.rotation.title}>
        <ol className={styles.steps}>
          {texts.rotation.steps.map((step) => (
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
      <Notice tone="warning" title={texts.none.title}>
        {texts.none.hint}
      </Notice>
    )
  const columns: readonly Column<ApiKeyInfo>[] = [
    {
      id: 'id',
      label: texts.columns.key,
      render: ({ id, isSigning }) => (
        <>
          <code>{id}</code> {id === keys[0]?.id && <Badge>{texts.newest}</Badge>}{' '}
          {!isSigning && <Badge tone="danger">{texts.unsigned.badge}</Badge>}
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
      render: ({ lastUsedAt, lastUsedIpAddress }) => <LastUse at={lastUsedAt} address={lastUsedIpAddress} />,
    },
    {
      id: 'actions',
      label: texts.columns.actions,
      isLabelHidden: true,
      render: ({ id }) => <RevokeButton id={id} isOnly={keys.length === 1} />,
    },
  ]
  return (
    <>
      {keys.some(({ isSigning }) => !isSigning) && (
        <Notice tone="danger" title={texts.unsigned.title}>
          {texts.unsigned.hint}
        </Notice>
      )}
      <Table label={texts.title} rows={keys} keyOf={({ id }) => id} columns={columns} />
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
        {texts.make.button}
      </Button>
    )
  return (
    <ConfirmButton
      variant="primary"
      title={texts.make.question}
      description={<p>{texts.make.hint(keys.at(-1)?.id ?? '')}</p>}
      confirmLabel={texts.make.confirm}
      onConfirm={make}
    >
      {texts.make.button}
    </ConfirmButton>
  )
}

function RevokeButton({ id, isOnly }: { readonly id: string; readonly isOnly: boolean }) {
  const { packageName } = useDeveloperApp()
  const { revoke } = useKeyChanges(packageName)
  return (
    <ConfirmButton
      aria-label={texts.revoke.label(id)}
      title={texts.revoke.question(id)}
      description={<p>{isOnly ? texts.revoke.only : texts.revoke.other}</p>}
      confirmLabel={texts.revoke.button}
      onConfirm={() => revoke(id)}
      success={texts.revoke.done(id)}
    >
      {texts.revoke.button}
    </ConfirmButton>
  )
}
