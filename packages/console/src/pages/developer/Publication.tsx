import { useAppChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { useDeveloperApp } from './developer-app.ts'

const STATES = {
  DEVELOPMENT: 'Only you and the members of its organization see the app.',
  SUBMITTED: 'An administrator of this cloud reviews the app. Until then only its owners see it.',
  REJECTED: 'An administrator rejected the app. Change what the notes say, and publish it again.',
  PUBLISHED: 'Everyone on this cloud can install the app.',
} as const

/** Puts the app into the store or takes it out, and shows its review. */
export function Publication() {
  const { packageName, name, appStoreStatus, review } = useDeveloperApp()
  const { publish, unpublish } = useAppChanges(packageName)
  const submission = useAction(publish, {
    success: ({ appStoreStatus: status }) =>
      status === 'PUBLISHED' ? `${name} is in the store` : `${name} is submitted for review`,
  })
  const isInStore = appStoreStatus === 'PUBLISHED'
  const retreat = isInStore
    ? {
        button: 'Unpublish',
        title: `Take ${name} out of the store?`,
        hint: 'Nobody else can install it any longer. Wearers who have it keep it.',
      }
    : {
        button: 'Withdraw from review',
        title: `Withdraw ${name} from review?`,
        hint: 'It stays as it is, and can be submitted again.',
      }
  return (
    <Card
      title="Store"
      description={STATES[appStoreStatus]}
      actions={
        isInStore || appStoreStatus === 'SUBMITTED' ? (
          <ConfirmButton
            variant="secondary"
            title={retreat.title}
            description={<p>{retreat.hint}</p>}
            confirmLabel={retreat.button}
            onConfirm={unpublish}
          >
            {retreat.button}
          </ConfirmButton>
        ) : (
          <Button isPending={submission.isPending} onPress={() => submission.run()}>
            Publish
          </Button>
        )
      }
    >
      {submission.error !== undefined && <Notice tone="danger" title={submission.error.message} />}
      {review !== undefined && (
        <p>
          Submitted {formatTime(review.submittedAt)}.{' '}
          {review.decidedAt !== undefined && `Decided ${formatTime(review.decidedAt)}.`}
        </p>
      )}
      {review !== undefined && review.notes !== '' && (
        <Notice tone={appStoreStatus === 'REJECTED' ? 'danger' : 'success'} title="Notes of the reviewer">
          {review.notes}
        </Notice>
      )}
    </Card>
  )
}
