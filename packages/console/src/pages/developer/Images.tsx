import { APP_IMAGE_LIMITS } from '@glasses-cloud/contract'
import { useAppChanges } from '../../api/developer.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { FileDrop } from '../../components/FileDrop.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { AppLogo } from '../apps/AppLogo.tsx'
import { useDeveloperApp } from './developer-app.ts'
import { editorTexts } from './editor.texts.ts'
import styles from './Images.module.css'

const { images: texts } = editorTexts

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Logo and screenshots of an app. */
export function Images() {
  const { packageName, name, logoURL, screenshots } = useDeveloperApp()
  const { setLogo, addScreenshot, deleteScreenshot } = useAppChanges(packageName)
  const logo = useAction(setLogo, { success: () => texts.logoChanged, onFailure: reportFailure })
  const screenshot = useAction(addScreenshot, {
    success: () => texts.screenshotAdded,
    onFailure: reportFailure,
  })

  return (
    <Card title={texts.title} description={texts.description}>
      <div className={styles.logo}>
        <AppLogo key={logoURL} url={logoURL} name={name} />
        <FileDrop
          label={texts.dropLogo}
          buttonLabel={texts.chooseLogo}
          accept={IMAGE_TYPES}
          isPending={logo.isPending}
          onFile={logo.run}
        />
      </div>
      {screenshots.length > 0 && (
        <ul className={styles.screenshots}>
          {screenshots.map((url, index) => (
            <li key={url}>
              <img src={url} alt={texts.screenshot(index + 1)} loading="lazy" />
              <ConfirmButton
                variant="quiet"
                aria-label={texts.delete.label(index + 1)}
                title={texts.delete.question}
                description={<p>{texts.delete.hint}</p>}
                confirmLabel={texts.delete.button}
                onConfirm={() => deleteScreenshot(url)}
              >
                {texts.delete.button}
              </ConfirmButton>
            </li>
          ))}
        </ul>
      )}
      {screenshots.length < APP_IMAGE_LIMITS.screenshots && (
        <FileDrop
          label={texts.dropScreenshot(APP_IMAGE_LIMITS.screenshots - screenshots.length)}
          buttonLabel={texts.chooseScreenshot}
          accept={IMAGE_TYPES}
          isPending={screenshot.isPending}
          onFile={screenshot.run}
        />
      )}
    </Card>
  )
}
