import { APP_IMAGE_LIMITS } from '@glasses-cloud/contract'
import { useAppChanges } from '../../api/developer.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { FileDrop } from '../../components/FileDrop.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { AppLogo } from '../apps/AppLogo.tsx'
import { useDeveloperApp } from './developer-app.ts'
import styles from './Images.module.css'

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Logo and screenshots of an app. */
export function Images() {
  const { packageName, name, logoURL, screenshots } = useDeveloperApp()
  const { setLogo, addScreenshot, deleteScreenshot } = useAppChanges(packageName)
  const logo = useAction(setLogo, { success: () => 'Logo changed', onFailure: reportFailure })
  const screenshot = useAction(addScreenshot, {
    success: () => 'Screenshot added',
    onFailure: reportFailure,
  })
  const left = APP_IMAGE_LIMITS.screenshots - screenshots.length
  return (
    <Card
      title="Images"
      description="PNG, JPEG or WebP. A logo has 64 to 2048 pixels and 1 MB, a screenshot up to 4096 pixels and 4 MB."
    >
      <div className={styles.logo}>
        <AppLogo key={logoURL} url={logoURL} name={name} />
        <FileDrop
          label="Drop the logo here, or choose a file."
          buttonLabel="Choose a logo"
          accept={IMAGE_TYPES}
          isPending={logo.isPending}
          onFile={logo.run}
        />
      </div>
      {screenshots.length > 0 && (
        <ul className={styles.screenshots}>
          {screenshots.map((url, index) => (
            <li key={url}>
              <img src={url} alt={`Screenshot ${index + 1}`} loading="lazy" />
              <ConfirmButton
                variant="quiet"
                aria-label={`Delete screenshot ${index + 1}`}
                title="Delete this screenshot?"
                description={<p>This cannot be undone.</p>}
                confirmLabel="Delete"
                onConfirm={() => deleteScreenshot(url)}
              >
                Delete
              </ConfirmButton>
            </li>
          ))}
        </ul>
      )}
      {left > 0 && (
        <FileDrop
          label={
            left === 1
              ? 'One more screenshot fits.'
              : `Drop a screenshot here, or choose a file; ${left} fit.`
          }
          buttonLabel="Choose a screenshot"
          accept={IMAGE_TYPES}
          isPending={screenshot.isPending}
          onFile={screenshot.run}
        />
      )}
    </Card>
  )
}
