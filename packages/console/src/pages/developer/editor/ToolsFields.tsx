import { Select } from '../../../components/Select.tsx'
import { Switch } from '../../../components/Switch.tsx'
import type { ParameterDraft, ToolDraft } from './app-draft.ts'
import { ManifestText } from './fields.tsx'
import { ListEditor } from './ListEditor.tsx'
import type { Draft } from './use-draft.ts'

const TYPE_NAMES = { string: 'Text', number: 'Number', boolean: 'Yes or no' } as const

const TYPES = (['string', 'number', 'boolean'] as const).map((value) => ({
  value,
  label: TYPE_NAMES[value],
}))

/** What assistants can do with an app. */
export function ToolsFields({ draft: { value, set } }: { readonly draft: Draft }) {
  return (
    <ListEditor<ToolDraft>
      title="Tools"
      hint="What an assistant can do with the app when the wearer asks for it."
      addLabel="Add a tool"
      path="tools"
      entries={value.tools}
      onChange={(tools) => set('tools', tools)}
      create={() => ({ id: '', description: '', activationPhrases: '', parameters: [] })}
      nameOf={({ id }, position) => `tool ${id || position}`}
    >
      {(tool, path, change) => (
        <>
          <ManifestText
            path={`${path}.id`}
            label="Id"
            description="Name in the code of the app, such as take_note"
            value={tool.id}
            onChange={(id) => change({ ...tool, id })}
          />
          <ManifestText
            path={`${path}.description`}
            label="Description"
            value={tool.description}
            onChange={(description) => change({ ...tool, description })}
          />
          <ManifestText
            path={`${path}.activationPhrases`}
            label="Phrases"
            description="What wearers may say, one phrase a line"
            lines={2}
            value={tool.activationPhrases}
            onChange={(activationPhrases) => change({ ...tool, activationPhrases })}
          />
          <ListEditor<ParameterDraft>
            title="Parameters"
            hint="What the assistant tells the app."
            addLabel="Add a parameter"
            path={`${path}.parameters`}
            level={3}
            entries={tool.parameters}
            onChange={(parameters) => change({ ...tool, parameters })}
            create={() => ({ name: '', type: 'string', description: '', required: false, values: '' })}
            nameOf={({ name }, position) => `parameter ${name || position}`}
          >
            {(parameter, _, setParameter) => (
              <ParameterFields parameter={parameter} toolPath={path} onChange={setParameter} />
            )}
          </ListEditor>
        </>
      )}
    </ListEditor>
  )
}

interface ParameterFieldsProps {
  readonly parameter: ParameterDraft
  readonly toolPath: string
  readonly onChange: (parameter: ParameterDraft) => void
}

function ParameterFields({ parameter, toolPath, onChange }: ParameterFieldsProps) {
  // In the manifest, parameters are fields of an object.
  const pathOf = (name: string) => `${toolPath}.parameters.${name}`
  const path = pathOf(parameter.name)
  return (
    <>
      <ManifestText
        path={pathOf}
        label="Name"
        value={parameter.name}
        onChange={(name) => onChange({ ...parameter, name })}
      />
      <Select
        label="Type"
        options={TYPES}
        value={parameter.type}
        onChange={(type) => onChange({ ...parameter, type })}
      />
      <ManifestText
        path={`${path}.description`}
        label="Description"
        value={parameter.description}
        onChange={(description) => onChange({ ...parameter, description })}
      />
      <ManifestText
        path={`${path}.enum`}
        label="Allowed values (optional)"
        description="Separated by commas"
        value={parameter.values}
        onChange={(values) => onChange({ ...parameter, values })}
      />
      <Switch isSelected={parameter.required} onChange={(required) => onChange({ ...parameter, required })}>
        Required
      </Switch>
    </>
  )
}
