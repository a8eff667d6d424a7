import { APP_IMAGE_LIMITS } from '@glasses-cloud/contract'
import { useAppChanges } from '../../api/developer.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { FileDrop } from '../../components/FileDrop.tsx'
import { Card } from '../../components/Page.tsx'
import { useAction } from '../../components/use-action.ts'
import { AppLogo } from '../apps/AppLogo.tsx'
import { useDeveloperApp } from './developer-app.ts'
import styles from './Images.module.css'

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Logo and screenshots of an app. */
export function Images() {
  const { packageName, name, logoURL, screenshots } = useDeveloperApp()
  const { setLogo, addScreenshot, deleteScreenshot } = useAppChanges(packageName)
  const logo = useAction(ifReadable(setLogo), { success: () => 'Logo changed' })
  const screenshot = useAction(ifReadable(addScreenshot), { success: () => 'Screenshot added' })
  const left = APP_IMAGE_LIMITS.screenshots - screenshots.length
  return (
    <Card
      title="Images"
      description="PNG, JPEG or WebP. A logo has 64 to 2048 pixels on each side and up to 1 MB, a screenshot 100 to 4096 pixels and up to 4 MB."
    >
      <div className={styles.logo}>
        <AppLogo key={logoURL} url={logoURL} name={name} />
        <FileDrop
          label="Drop the logo here, or choose a file."
          buttonLabel="Choose a logo"
          accept={IMAGE_TYPES}
          isPending={logo.isPending}
          error={logo.error}
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
          error={screenshot.error}
          onFile={screenshot.run}
        />
      )}
    </Card>
  )
}

/** Sends an image once the browser could show it: the cloud reads the header only. */
const ifReadable =
  <Result,>(send: (file: File) => Promise<Result>) =>
  async (file: File): Promise<Result> => {
    if (IMAGE_TYPES.includes(file.type)) await requireReadable(file)
    return send(file)
  }

/** @throws {Error} with a sentence for the user */
async function requireReadable(file: File): Promise<void> {
  try {
    const image = await createImageBitmap(file)
    image.close()
  } catch {
    throw new Error('The file is not a PNG, JPEG or WebP image, or it is damaged')
  }
}
