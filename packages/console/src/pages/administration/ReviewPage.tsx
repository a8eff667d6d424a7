import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reviewQuery, useAdministration } from '../../api/administration.ts'
import type { DeveloperApp } from '../../api/developer.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { hardware, permissions } from '../../permissions.ts'
import styles from './ReviewPage.module.css'
import { reviewTexts as texts } from './review.texts.ts'

/** The apps that wait for a decision. */
export function ReviewPage() {
  const review = useQuery(reviewQuery)
  return (
    <QueryState query={review} skeleton="rows">
      {(apps) =>
        apps.length === 0 ? (
          <EmptyState title={texts.empty.title}>
            <p>{texts.empty.hint}</p>
          </EmptyState>
        ) : (
          apps.map((app) => <ReviewedApp key={app.packageName} app={app} />)
        )
      }
    </QueryState>
  )
}

function ReviewedApp({ app }: { readonly app: DeveloperApp }) {
  const { approve, reject } = useAdministration()
  const [notes, setNotes] = useState('')
  const { name, packageName } = app
  const { run, isPending, input, error } = useAction(
    async (decision: 'approve' | 'reject') => {
      const text = notes.trim()
      if (decision === 'reject' && text === '') throw new Error(texts.notesMissing)
      await (decision === 'approve' ? approve : reject)(app, text)
    },
    {
      success: (_, decision) => (decision === 'approve' ? texts.approvedApp(name) : texts.rejectedApp(name)),
    },
  )
  const pending = isPending ? input : undefined
  return (
    <Card title={name} description={app.description}>
      <dl className={styles.facts}>
        <dt>{texts.facts.developer}</dt>
        <dd>{app.orgName ?? app.developerId}</dd>
        <dt>{texts.facts.package}</dt>
        <dd>
          <code>{packageName}</code>
        </dd>
        <dt>{texts.facts.server}</dt>
        <dd>
          <code>{app.publicUrl}</code>
          <ApprovedAddress now={app.publicUrl} approved={app.approved?.publicUrl} />
        </dd>
        {(app.webviewURL !== undefined || app.approved?.webviewURL !== undefined) && (
          <>
            <dt>{texts.facts.webPage}</dt>
            <dd>
              {app.webviewURL === undefined ? texts.none : <code>{app.webviewURL}</code>}
              {app.approved !== undefined && app.approved.webviewURL === undefined && (
                <Badge tone="warning">{texts.changes.added}</Badge>
              )}
              <ApprovedAddress now={app.webviewURL} approved={app.approved?.webviewURL} />
            </dd>
          </>
        )}
        {app.review !== undefined && (
          <>
            <dt>{texts.facts.submitted}</dt>
            <dd>
              <time dateTime={app.review.submittedAt}>{formatTime(app.review.submittedAt)}</time>
            </dd>
          </>
        )}
        <dt>{texts.facts.permissions}</dt>
        <dd>
          {app.permissions.length === 0
            ? texts.noPermissions
            : app.permissions.map((permission) => (
                <div key={permission.type}>
                  <strong>{permissions[permission.type].name}</strong> {permission.description}{' '}
                  <Change entry={permission} approved={approvedPermission(app, permission.type)} app={app} />
                </div>
              ))}
        </dd>
        {app.tools.length > 0 && (
          <>
            <dt>{texts.facts.tools}</dt>
            <dd>
              {app.tools.map((tool) => (
                <div key={JSON.stringify(tool)}>
                  <code>{JSON.stringify(tool)}</code>{' '}
                  <Change
                    entry={tool}
                    approved={app.approved?.tools.find(({ id }) => id === tool.id)}
                    app={app}
                  />
                </div>
              ))}
            </dd>
          </>
        )}
        {app.hardwareRequirements.length > 0 && (
          <>
            <dt>{texts.facts.hardware}</dt>
            <dd>{app.hardwareRequirements.map(({ type }) => hardware[type]).join(', ')}</dd>
          </>
        )}
      </dl>
      <div className={styles.notes}>
        <TextField
          label={texts.notes}
          description={texts.notesHint}
          value={notes}
          onChange={setNotes}
          lines={3}
          maxLength={2_000}
        />
      </div>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      <div className={styles.actions}>
        <Button
          variant="primary"
          aria-label={texts.approveApp(name)}
          isPending={pending === 'approve'}
          isDisabled={pending === 'reject'}
          onPress={() => run('approve')}
        >
          {texts.approve}
        </Button>
        <Button
          variant="danger"
          aria-label={texts.rejectApp(name)}
          isPending={pending === 'reject'}
          isDisabled={pending === 'approve'}
          onPress={() => run('reject')}
        >
          {texts.reject}
        </Button>
      </div>
    </Card>
  )
}

function approvedPermission({ approved }: DeveloperApp, type: string) {
  return approved?.permissions.find((permission) => permission.type === type)
}

interface ChangeProps {
  readonly entry: object
  readonly approved: object | undefined
  readonly app: DeveloperApp
}

/** Marks what differs from the approved revision, if there is one. */
function Change({ entry, approved, app }: ChangeProps) {
  if (app.approved === undefined || JSON.stringify(entry) === JSON.stringify(approved)) return null
  return <Badge tone="warning">{approved === undefined ? texts.changes.added : texts.changes.changed}</Badge>
}

interface ApprovedAddressProps {
  readonly now: string | undefined
  readonly approved: string | undefined
}

/** Shows the approved address if it differs. */
function ApprovedAddress({ now, approved }: ApprovedAddressProps) {
  if (approved === undefined || approved === now) return null
  return (
    <div>
      {texts.approved} <code>{approved}</code>
    </div>
  )
}
