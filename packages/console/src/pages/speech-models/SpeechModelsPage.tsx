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
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatBytes, formatLanguages } from '../../format.ts'
import { LicenseLink } from './LicenseLink.tsx'
import { progressText } from './progress-text.ts'
import styles from './speech-models.module.css'
import { speechModelsTexts as texts } from './speech-models.texts.ts'

/** Languages that are named; of more, only the number is shown. */
const MAX_LANGUAGES = 6

/** A model in a table. */
interface Row {
  readonly model: SpeechModel
  readonly isRecommended: boolean
}

const NAME: Column<Row> = {
  id: 'name',
  label: texts.columns.name,
  render: ({ model, isRecommended }) => (
    <span className={styles.stack}>
      {model.name}
      <span className="muted">{texts.kinds[model.kind]}</span>
      {isRecommended && <Badge tone="success">{texts.recommended}</Badge>}
      <Facts model={model} />
    </span>
  ),
}

const COLUMNS: readonly Column<Row>[] = [
  NAME,
  {
    id: 'languages',
    label: texts.columns.languages,
    render: ({ model: { languages } }) =>
      languages.length > MAX_LANGUAGES ? texts.languages(languages.length) : formatLanguages(languages),
  },
  {
    id: 'size',
    label: texts.columns.size,
    isNumeric: true,
    render: ({ model: { bytes } }) => (bytes === undefined ? texts.unknown : formatBytes(bytes)),
  },
  {
    id: 'memory',
    label: texts.columns.memory,
    isNumeric: true,
    render: ({ model: { memoryBytes } }) => texts.about(formatBytes(memoryBytes)),
  },
  {
    id: 'license',
    label: texts.columns.license,
    render: ({ model: { license } }) => <LicenseLink license={license} />,
  },
  { id: 'state', label: texts.columns.state, render: ({ model }) => <State model={model} /> },
  {
    id: 'actions',
    label: texts.columns.actions,
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
          <Card title={texts.available.title} description={texts.available.description}>
            <ModelTable
              label={texts.available.title}
              data={data}
              models={data.models.filter(({ state }) => state === 'available')}
            />
          </Card>
          <Card title={texts.address.title} description={texts.address.description}>
            <ActionForm
              submitLabel={texts.address.submit}
              success={texts.install.started}
              onSubmit={(fields) => installFrom(fields.get('url') ?? '')}
            >
              <TextField
                name="url"
                type="url"
                label={texts.address.label}
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
  const { title, description, none } = texts.installed
  return (
    <Card title={title} description={description}>
      {models.length === 0 ? (
        <EmptyState title={none.title}>
          <p>{none.hint}</p>
        </EmptyState>
      ) : (
        <ModelTable label={title} data={data} models={models} />
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
      <summary>{texts.facts(name)}</summary>
      {checked !== undefined && <p>{checked}</p>}
      <p>
        <a href={source} rel="noreferrer noopener" target="_blank">
          {texts.publisher} <span className="visually-hidden">{texts.newTab}</span>
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
      <Badge tone={TONES[state]}>{state === 'installing' ? progressText(model) : texts.states[state]}</Badge>
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
          aria-label={texts.remove.label(name)}
          title={texts.remove.question(name)}
          description={<p>{texts.remove.hint}</p>}
          confirmLabel={texts.remove.button}
          onConfirm={() => remove(id)}
          success={texts.remove.done}
        >
          {texts.remove.button}
        </ConfirmButton>
      )
    case 'installing':
      return (
        <ActionButton
          texts={texts.cancel}
          name={name}
          success={texts.cancel.done}
          perform={() => cancel(id)}
        />
      )
    case 'failed':
      return (
        <span className={styles.buttons}>
          {isListed && (
            <ActionButton
              texts={texts.repeat}
              name={name}
              success={texts.install.started}
              perform={() => install(id)}
            />
          )}
          <ActionButton
            texts={texts.forget}
            name={name}
            success={texts.forget.done}
            perform={() => cancel(id)}
          />
        </span>
      )
    default:
      return (
        <ActionButton
          texts={texts.install}
          name={name}
          success={texts.install.started}
          perform={() => install(id)}
        />
      )
  }
}

interface ActionButtonProps {
  readonly texts: { readonly button: string; label(name: string): string }
  readonly name: string
  readonly success: string
  readonly perform: () => Promise<unknown>
}

function ActionButton({ texts: { button, label }, name, success, perform }: ActionButtonProps) {
  const { run, isPending } = useAction(perform, { success, onFailure: reportFailure })
  return (
    <Button aria-label={label(name)} isPending={isPending} onPress={() => run()}>
      {button}
    </Button>
  )
}
