import { useQuery } from '@tanstack/react-query'
import {
  isInstalling,
  type SpeechModel,
  speechModelsQuery,
  useSpeechModels,
} from '../../api/speech-models.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatBytes } from '../../format.ts'
import styles from './speech-models.module.css'

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
  const { run, isPending, error } = useAction(() => install(id), { success: 'The installation has started' })
  const problem = error?.message ?? failure
  return (
    <Card
      title="Recognize speech on this cloud"
      description="Captions and other apps then need no phone that recognizes speech, and no audio leaves this cloud. Everything else works without."
    >
      <p className={styles.offered}>
        <strong>{bytes === undefined ? name : `${name} (${formatBytes(bytes)})`}</strong>{' '}
        <LicenseLink license={license} label={`License: ${license.name}`} />
      </p>
      {problem !== undefined && (
        <Notice tone="danger" title="The installation failed">
          {problem}
        </Notice>
      )}
      {isInstalling(model) ? (
        <p role="status">{progressText(model)}</p>
      ) : (
        <div className={styles.buttons}>
          <Button variant="primary" isPending={isPending} onPress={() => run()}>
            {failure === undefined ? `Install ${name}` : 'Try again'}
          </Button>
          <LinkButton to="/admin/speech-models">All speech models</LinkButton>
        </div>
      )}
    </Card>
  )
}

interface LicenseLinkProps {
  readonly license: SpeechModel['license']
  /** Name of the license by default. */
  readonly label?: string
}

/** The license of a model, with a link to its text. */
export function LicenseLink({ license: { name, url }, label = name }: LicenseLinkProps) {
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {label} <span className="visually-hidden">(opens in a new tab)</span>
    </a>
  )
}

/** Says how much of a model has arrived. */
export function progressText({ receivedBytes = 0, bytes }: SpeechModel): string {
  const total = bytes === undefined ? '' : ` of ${formatBytes(bytes)}`
  return `Installing: ${formatBytes(receivedBytes)}${total}`
}
