import { useQuery } from '@tanstack/react-query'
import {
  isInstalling,
  type SpeechModel,
  speechModelsQuery,
  useSpeechModels,
} from '../../api/speech-models.ts'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatBytes } from '../../format.ts'
import { LicenseLink } from './LicenseLink.tsx'
import { progressText } from './progress-text.ts'
import styles from './speech-models.module.css'
import { speechModelsTexts as texts } from './speech-models.texts.ts'

/**
 * Offers to install the recommended model for the language of the browser. Shows nothing if an installed model recognizes
 * that language, or none is known. For administrators only.
 */
export function SpeechModelOffer() {
  const { data } = useQuery(speechModelsQuery)
  const model = data?.models.find(({ id }) => id === data.recommended)
  return model === undefined ? null : <Offer model={model} />
}

function Offer({ model }: { readonly model: SpeechModel }) {
  const { id, name, bytes, license, failure } = model
  const { install } = useSpeechModels()
  const { run, isPending, error } = useAction(() => install(id), { success: texts.install.started })
  const { offer } = texts
  const problem = error?.message ?? failure
  return (
    <Card title={offer.title} description={offer.description}>
      <p className={styles.offered}>
        <strong>{offer.what(name, bytes === undefined ? undefined : formatBytes(bytes))}</strong>{' '}
        <LicenseLink license={license} label={offer.license(license.name)} />
      </p>
      {problem !== undefined && (
        <Notice tone="danger" title={offer.failed}>
          {problem}
        </Notice>
      )}
      {isInstalling(model) ? (
        <p role="status">{progressText(model)}</p>
      ) : (
        <div className={styles.buttons}>
          <Button variant="primary" isPending={isPending} onPress={() => run()}>
            {failure === undefined ? texts.install.label(name) : texts.repeat.button}
          </Button>
          <LinkButton to="/admin/speech-models">{offer.all}</LinkButton>
        </div>
      )}
    </Card>
  )
}
