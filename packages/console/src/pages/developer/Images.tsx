import { APP_IMAGE_LIMITS } from '@glasses-cloud/contract'
import { useAppChanges } from '../../api/developer.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { FileDrop } from '../../components/FileDrop.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { developer } from '../../texts/developer.ts'
import { AppLogo } from '../apps/AppLogo.tsx'
import { useDeveloperApp } from './developer-app.ts'
import styles from './Images.module.css'

const texts = developer.images

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Logo and screenshots of an app. */
export function Images() {
  const { packageName, name, logoURL, screenshots } = useDeveloperApp()
  const { setLogo, addScreenshot, deleteScreenshot } = useAppChanges(packageName)
  const { run, isPending, input } = useAction(
    ({ kind, file }: { kind: 'logo' | 'screenshot'; file: File }) =>
      kind === 'logo' ? setLogo(file) : addScreenshot(file),
    { success: (_, { kind }) => texts.uploaded[kind], onFailure: reportFailure },
  )
  const pending = isPending ? input?.kind : undefined

  return (
    <Card title={texts.title} description={texts.hint}>
      <div className={styles.logo}>
        <AppLogo key={logoURL} url={logoURL} name={name} />
        <FileDrop
          label={texts.dropLogo}
          buttonLabel={texts.chooseLogo}
          accept={IMAGE_TYPES}
          isPending={pending === 'logo'}
          onFile={(file) => run({ kind: 'logo', file })}
        />
      </div>
      {screenshots.length > 0 && (
        <ul className={styles.screenshots}>
          {screenshots.map((url, index) => (
            <li key={url}>
              <img src={url} alt={texts.screenshot(index + 1)} loading="lazy" />
              <ConfirmButton
                variant="quiet"
                aria-label={texts.deleteScreenshot(index + 1)}
                title={texts.deleteQuestion}
                description={<p>{texts.deleteHint}</p>}
                confirmLabel={texts.delete}
                onConfirm={() => deleteScreenshot(url)}
              >
                {texts.delete}
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
          isPending={pending === 'screenshot'}
          onFile={(file) => run({ kind: 'screenshot', file })}
        />
      )}
    </Card>
  )
}
