import { useQuery } from '@tanstack/react-query'
import {
  type SpeechModel,
  type SpeechModels,
  speechModelsQuery,
  useSpeechModels,
} from '../../api/speech-models.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatBytes, formatLanguages, plural } from '../../format.ts'
import { LicenseLink, progressText } from './SpeechModelOffer.tsx'
import styles from './speech-models.module.css'

const STATES = {
  available: 'Not installed',
  installing: 'Installing',
  failed: 'Failed',
  installed: 'Installed',
} as const

const KINDS = {
  'streaming-recognizer': 'Recognizes words while they are spoken',
  recognizer: 'Recognizes sentences after they are spoken',
  voice: 'Speaks',
  'keyword-spotter': 'Recognizes keywords',
  punctuation: 'Sets punctuation marks',
  speaker: 'Tells speakers apart',
} as const

/** Languages that are named; of more, only the number is shown. */
const MAX_LANGUAGES = 6

/** A model in a table. */
interface Row {
  readonly model: SpeechModel
  readonly isRecommended: boolean
}

const NAME: Column<Row> = {
  id: 'name',
  label: 'Model',
  render: ({ model, isRecommended }) => (
    <span className={styles.stack}>
      {model.name}
      <span className="muted">{KINDS[model.kind]}</span>
      {isRecommended && <Badge tone="success">Recommended</Badge>}
      <Facts model={model} />
    </span>
  ),
}

const COLUMNS: readonly Column<Row>[] = [
  NAME,
  {
    id: 'languages',
    label: 'Languages',
    render: ({ model: { languages } }) =>
      languages.length > MAX_LANGUAGES
        ? plural(languages.length, { one: '1 language', other: `${languages.length} languages` })
        : formatLanguages(languages),
  },
  {
    id: 'size',
    label: 'Size',
    isNumeric: true,
    render: ({ model: { bytes } }) => (bytes === undefined ? 'Unknown' : formatBytes(bytes)),
  },
  {
    id: 'memory',
    label: 'Memory',
    isNumeric: true,
    render: ({ model: { memoryBytes } }) => `about ${formatBytes(memoryBytes)}`,
  },
  {
    id: 'license',
    label: 'License',
    render: ({ model: { license } }) => <LicenseLink license={license} />,
  },
  { id: 'state', label: 'State', render: ({ model }) => <State model={model} /> },
  {
    id: 'actions',
    label: 'Actions',
    isLabelHidden: true,
    render: ({ model }) => <Actions model={model} />,
  },
]

/** The speech models of the cloud: those that are installed, and those that can be. */
export function SpeechModelsPage() {
  const query = useQuery(speechModelsQuery)
  const { installFrom } = useSpeechModels()
  return (
    <QueryState query={query} skeleton="rows">
      {(data) => (
        <>
          <Installed data={data} />
          <Card
            title="Available"
            description="Models of other publishers, each with a license of its own. They are downloaded from the publisher, and compared with their hashes where those are known."
          >
            <ModelTable
              label="Available"
              data={data}
              models={data.models.filter(({ state }) => state === 'available')}
            />
          </Card>
          <Card
            title="Install from an address"
            description="The address of a manifest, model.json, with the files beside it. A machine without internet installs files with the command “models add”."
          >
            <ActionForm
              submitLabel="Install"
              success="The installation has started"
              onSubmit={(fields) => installFrom(fields.get('url') ?? '')}
            >
              <TextField
                name="url"
                type="url"
                label="Address of the manifest"
                placeholder="https://example.org/model.json"
                maxLength={2_000}
                isRequired
              />
            </ActionForm>
          </Card>
        </>
      )}
    </QueryState>
  )
}

function Installed({ data }: { readonly data: SpeechModels }) {
  const models = data.models.filter(({ state }) => state !== 'available')
  return (
    <Card
      title="Installed"
      description="The cloud recognizes speech and speaks with these models, without another service."
    >
      {models.length === 0 ? (
        <EmptyState title="No speech models">
          <p>Install one below to recognize speech on this cloud.</p>
        </EmptyState>
      ) : (
        <ModelTable label="Installed" data={data} models={models} />
      )}
    </Card>
  )
}

interface ModelTableProps {
  readonly label: string
  readonly data: SpeechModels
  readonly models: readonly SpeechModel[]
}

function ModelTable({ label, data, models }: ModelTableProps) {
  const rows = models.map((model) => ({ model, isRecommended: model.id === data.recommended }))
  return <Table label={label} rows={rows} keyOf={({ model }) => model.id} columns={COLUMNS} />
}

function Facts({ model: { name, checked, source } }: { readonly model: SpeechModel }) {
  return (
    <details className={styles.facts}>
      <summary>Facts about {name}</summary>
      {checked !== undefined && <p>{checked}</p>}
      <p>
        <a href={source} rel="noreferrer noopener" target="_blank">
          Publisher <span className="visually-hidden">(opens in a new tab)</span>
        </a>
      </p>
    </details>
  )
}

const TONES = { available: 'neutral', installing: 'warning', failed: 'danger', installed: 'success' } as const

function State({ model }: { readonly model: SpeechModel }) {
  const { state, failure } = model
  return (
    <span className={styles.stack}>
      <Badge tone={TONES[state]}>{state === 'installing' ? progressText(model) : STATES[state]}</Badge>
      {failure !== undefined && <span className="muted">{failure}</span>}
    </span>
  )
}

function Actions({ model }: { readonly model: SpeechModel }) {
  const { id, name, state, isListed } = model
  const { install, cancel, remove } = useSpeechModels()
  switch (state) {
    case 'installed':
      return (
        <ConfirmButton
          variant="secondary"
          aria-label={`Remove ${name}`}
          title={`Remove ${name}?`}
          description={<p>Sessions that use it stop recognizing or speaking. It can be installed again.</p>}
          confirmLabel="Remove"
          onConfirm={() => remove(id)}
          success="Model removed"
        >
          Remove
        </ConfirmButton>
      )
    case 'installing':
      return (
        <ActionButton
          label={`Cancel the installation of ${name}`}
          success="Installation canceled"
          perform={() => cancel(id)}
        >
          Cancel
        </ActionButton>
      )
    case 'failed':
      return (
        <span className={styles.buttons}>
          {isListed && (
            <ActionButton
              label={`Try again to install ${name}`}
              success="The installation has started"
              perform={() => install(id)}
            >
              Try again
            </ActionButton>
          )}
          <ActionButton
            label={`Forget the installation of ${name}`}
            success="Forgotten"
            perform={() => cancel(id)}
          >
            Forget
          </ActionButton>
        </span>
      )
    default:
      return (
        <ActionButton
          label={`Install ${name}`}
          success="The installation has started"
          perform={() => install(id)}
        >
          Install
        </ActionButton>
      )
  }
}

interface ActionButtonProps {
  readonly label: string
  readonly success: string
  readonly perform: () => Promise<unknown>
  readonly children: string
}

function ActionButton({ label, success, perform, children }: ActionButtonProps) {
  const { run, isPending } = useAction(perform, { success, onFailure: reportFailure })
  return (
    <Button aria-label={label} isPending={isPending} onPress={() => run()}>
      {children}
    </Button>
  )
}
