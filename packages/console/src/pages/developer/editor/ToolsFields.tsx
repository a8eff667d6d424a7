import { Select } from '../../../components/Select.tsx'
import { Switch } from '../../../components/Switch.tsx'
import type { ParameterDraft, ToolDraft } from './app-draft.ts'
import { ManifestText } from './fields.tsx'
import { formTexts } from './form.texts.ts'
import { ListEditor } from './ListEditor.tsx'
import type { Draft } from './use-draft.ts'

const { tools: texts } = formTexts

const TYPES = (['string', 'number', 'boolean'] as const).map((value) => ({
  value,
  label: texts.types[value],
}))

/** What assistants can do with an app. */
export function ToolsFields({ draft: { value, set } }: { readonly draft: Draft }) {
  return (
    <ListEditor<ToolDraft>
      title={texts.tools}
      hint={texts.toolsHint}
      addLabel={texts.addTool}
      path="tools"
      entries={value.tools}
      onChange={(tools) => set('tools', tools)}
      create={() => ({ id: '', description: '', activationPhrases: '', parameters: [] })}
      nameOf={({ id }, position) => texts.name(id, position)}
    >
      {(tool, path, change) => (
        <>
          <ManifestText
            path={`${path}.id`}
            label={texts.id}
            description={texts.codeNameHint}
            value={tool.id}
            onChange={(id) => change({ ...tool, id })}
          />
          <ManifestText
            path={`${path}.description`}
            label={texts.description}
            value={tool.description}
            onChange={(description) => change({ ...tool, description })}
          />
          <ManifestText
            path={`${path}.activationPhrases`}
            label={texts.phrases}
            description={texts.phrasesHint}
            lines={2}
            value={tool.activationPhrases}
            onChange={(activationPhrases) => change({ ...tool, activationPhrases })}
          />
          <ListEditor<ParameterDraft>
            title={texts.parameters}
            hint={texts.parametersHint}
            addLabel={texts.addParameter}
            path={`${path}.parameters`}
            level={3}
            entries={tool.parameters}
            onChange={(parameters) => change({ ...tool, parameters })}
            create={() => ({ name: '', type: 'string', description: '', required: false, values: '' })}
            nameOf={({ name }, position) => texts.parameterName(name, position)}
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
        label={texts.parameter}
        value={parameter.name}
        onChange={(name) => onChange({ ...parameter, name })}
      />
      <Select
        label={texts.type}
        options={TYPES}
        value={parameter.type}
        onChange={(type) => onChange({ ...parameter, type })}
      />
      <ManifestText
        path={`${path}.description`}
        label={texts.description}
        value={parameter.description}
        onChange={(description) => onChange({ ...parameter, description })}
      />
      <ManifestText
        path={`${path}.enum`}
        label={texts.allowedValues}
        description={texts.allowedValuesHint}
        value={parameter.values}
        onChange={(values) => onChange({ ...parameter, values })}
      />
      <Switch isSelected={parameter.required} onChange={(required) => onChange({ ...parameter, required })}>
        {texts.required}
      </Switch>
    </>
  )
}
