import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reviewQuery, useAdministration } from '../../api/administration.ts'
import type { DeveloperApp } from '../../api/developer.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { hardware, permissions } from '../../permissions.ts'
import styles from './ReviewPage.module.css'

/** The apps that wait for a decision. */
export function ReviewPage() {
  const review = useQuery(reviewQuery)
  return (
    <QueryState query={review} skeleton="rows">
      {(apps) =>
        apps.length === 0 ? (
          <EmptyState title="No app is waiting">
            <p>Apps appear here when their developers publish them and APP_REVIEW is on.</p>
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
      if (decision === 'reject' && text === '')
        throw new Error('Write in the notes what the developers have to change.')
      await (decision === 'approve' ? approve : reject)(app, text)
    },
    {
      success: (_, decision) => (decision === 'approve' ? `${name} is in the store` : `${name} was rejected`),
    },
  )
  const pending = isPending ? input : undefined
  return (
    <Card title={name} description={app.description}>
      <dl className={styles.facts}>
        <dt>Developer</dt>
        <dd>{app.orgName ?? app.developerId}</dd>
        <dt>Package</dt>
        <dd>
          <code>{packageName}</code>
        </dd>
        <dt>App server</dt>
        <dd>
          <code>{app.publicUrl}</code>
          <ApprovedAddress now={app.publicUrl} approved={app.approved?.publicUrl} />
        </dd>
        {(app.webviewURL !== undefined || app.approved?.webviewURL !== undefined) && (
          <>
            <dt>Web page</dt>
            <dd>
              {app.webviewURL === undefined ? 'None' : <code>{app.webviewURL}</code>}
              {app.approved !== undefined && app.approved.webviewURL === undefined && (
                <Badge tone="warning">New</Badge>
              )}
              <ApprovedAddress now={app.webviewURL} approved={app.approved?.webviewURL} />
            </dd>
          </>
        )}
        {app.review !== undefined && (
          <>
            <dt>Submitted</dt>
            <dd>
              <time dateTime={app.review.submittedAt}>{formatTime(app.review.submittedAt)}</time>
            </dd>
          </>
        )}
        <dt>Permissions</dt>
        <dd>
          {app.permissions.length === 0
            ? 'It asks for none.'
            : app.permissions.map((permission) => (
                <div key={permission.type}>
                  <strong>{permissions[permission.type].name}</strong> {permission.description}{' '}
                  <Change entry={permission} approved={approvedPermission(app, permission.type)} app={app} />
                </div>
              ))}
        </dd>
        {app.tools.length > 0 && (
          <>
            <dt>Tools</dt>
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
            <dt>Hardware</dt>
            <dd>{app.hardwareRequirements.map(({ type }) => hardware[type]).join(', ')}</dd>
          </>
        )}
      </dl>
      <div className={styles.notes}>
        <TextField
          label="Notes for the developers"
          description="Required to reject"
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
          aria-label={`Approve ${name}`}
          isPending={pending === 'approve'}
          isDisabled={pending === 'reject'}
          onPress={() => run('approve')}
        >
          Approve
        </Button>
        <Button
          variant="danger"
          aria-label={`Reject ${name}`}
          isPending={pending === 'reject'}
          isDisabled={pending === 'approve'}
          onPress={() => run('reject')}
        >
          Reject
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
  return <Badge tone="warning">{approved === undefined ? 'New' : 'Changed'}</Badge>
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
      Approved: <code>{approved}</code>
    </div>
  )
}
