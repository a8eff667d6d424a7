import { useAppChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { useDeveloperApp } from './developer-app.ts'
import { overviewTexts } from './overview.texts.ts'

const { store: texts } = overviewTexts

/** Puts the app into the store or takes it out, and shows its review. */
export function Publication() {
  const { packageName, name, appStoreStatus, review } = useDeveloperApp()
  const { publish, unpublish } = useAppChanges(packageName)
  const submission = useAction(publish, {
    success: ({ appStoreStatus: status }) =>
      status === 'PUBLISHED' ? texts.published(name) : texts.inReview(name),
    onFailure: reportFailure,
  })
  const isInStore = appStoreStatus === 'PUBLISHED'
  const retreat = isInStore ? texts.unpublish : texts.withdraw
  return (
    <Card
      title={texts.title}
      description={texts.states[appStoreStatus]}
      actions={
        isInStore || appStoreStatus === 'SUBMITTED' ? (
          <ConfirmButton
            variant="secondary"
            title={retreat.question(name)}
            description={<p>{retreat.hint}</p>}
            confirmLabel={retreat.button}
            onConfirm={unpublish}
          >
            {retreat.button}
          </ConfirmButton>
        ) : (
          <Button isPending={submission.isPending} onPress={() => submission.run()}>
            {texts.publish}
          </Button>
        )
      }
    >
      {review !== undefined && (
        <p>
          {texts.submitted(formatTime(review.submittedAt))}{' '}
          {review.decidedAt !== undefined && texts.decided(formatTime(review.decidedAt))}
        </p>
      )}
      {review !== undefined && review.notes !== '' && (
        <Notice tone={appStoreStatus === 'REJECTED' ? 'danger' : 'success'} title={texts.notes}>
          {review.notes}
        </Notice>
      )}
    </Card>
  )
}
