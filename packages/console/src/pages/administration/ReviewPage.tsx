import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reviewQuery, useAdministration } from '../../api/administration.ts'
import type { DeveloperApp } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import { administration } from '../../texts/administration.ts'
import { formatTime } from '../../texts/format.ts'
import { hardware, permissions } from '../../texts/permissions.ts'
import { AdministrationFrame } from './AdministrationFrame.tsx'
import styles from './ReviewPage.module.css'

const texts = administration.review

/** The apps that wait for a decision. */
export function ReviewPage() {
  const review = useQuery(reviewQuery)
  return (
    <AdministrationFrame>
      <QueryState query={review}>
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
    </AdministrationFrame>
  )
}

function ReviewedApp({ app }: { readonly app: DeveloperApp }) {
  const { approve, reject } = useAdministration()
  const [notes, setNotes] = useState('')
  const { name, packageName } = app
  const { run, isPending, input, error } = useAction(
    async (decision: 'approve' | 'reject') => {
      const text = notes.trim()
      if (decision === 'reject' && text === '') throw new Error(texts.needsNotes)
      await (decision === 'approve' ? approve : reject)(packageName, text)
    },
    { success: (_, decision) => (decision === 'approve' ? texts.approved(name) : texts.rejected(name)) },
  )
  const pending = isPending ? input : undefined
  return (
    <Card title={name} description={app.description}>
      <dl className={styles.facts}>
        <dt>{texts.developer}</dt>
        <dd>{app.orgName ?? app.developerId}</dd>
        <dt>{texts.server}</dt>
        <dd>
          <code>{packageName}</code> <code>{app.publicUrl}</code>
        </dd>
        {app.review !== undefined && (
          <>
            <dt>{texts.submitted}</dt>
            <dd>
              <time dateTime={app.review.submittedAt}>{formatTime(app.review.submittedAt)}</time>
            </dd>
          </>
        )}
        <dt>{texts.permissions}</dt>
        <dd>
          {app.permissions.length === 0
            ? texts.noPermissions
            : app.permissions.map(({ type, description }) => (
                <div key={type}>
                  <strong>{permissions[type].name}</strong> {description}
                </div>
              ))}
        </dd>
        {app.hardwareRequirements.length > 0 && (
          <>
            <dt>{texts.hardware}</dt>
            <dd>{app.hardwareRequirements.map(({ type }) => hardware[type]).join(', ')}</dd>
          </>
        )}
      </dl>
      <TextField
        label={texts.notes}
        description={texts.notesHint}
        value={notes}
        onChange={setNotes}
        lines={3}
        maxLength={2_000}
      />
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      <div className={styles.actions}>
        <Button
          variant="primary"
          aria-label={texts.approveLabel(name)}
          isPending={pending === 'approve'}
          isDisabled={pending === 'reject'}
          onPress={() => run('approve')}
        >
          {texts.approve}
        </Button>
        <Button
          variant="danger"
          aria-label={texts.rejectLabel(name)}
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
