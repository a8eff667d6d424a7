import type { SettingDeclaration } from '@glasses-cloud/contract'
import { useState } from 'react'
import { Select } from '../../../components/Select.tsx'
import { type Entry, entryOf } from './app-draft.ts'
import { ManifestText } from './fields.tsx'
import { ListEditor } from './ListEditor.tsx'

interface Option {
  readonly label: string
  readonly value: unknown
}

export interface OptionFieldsProps {
  readonly setting: SettingDeclaration
  readonly path: string
  readonly onChange: (setting: SettingDeclaration) => void
}

/** The options of a setting, and which one is the default. */
export function OptionFields({ setting, path, onChange }: OptionFieldsProps) {
  const [entries, setEntries] = useState<readonly Entry<Option>[]>(() => optionsOf(setting).map(entryOf))
  const names = entries.map(({ value }) => textOf(value.value))
  const { defaultValue } = setting

  function change(changed: readonly Entry<Option>[]) {
    setEntries(changed)
    const options = changed.map(({ value }) => value)
    const { defaultValue: _, ...rest } = setting
    // A default that is no option any longer is removed.
    const isKept = options.some(({ value }) => textOf(value) === textOf(defaultValue))
    onChange({ ...(isKept || Array.isArray(defaultValue) ? setting : rest), options })
  }

  return (
    <>
      <ListEditor<Option>
        title="Options"
        hint="What wearers can choose from."
        addLabel="Add an option"
        path={`${path}.options`}
        level={3}
        entries={entries}
        onChange={change}
        create={() => ({ label: '', value: '' })}
        nameOf={({ label }, position) => `option ${label || position}`}
      >
        {(option, optionPath, set) => (
          <>
            <ManifestText
              path={`${optionPath}.label`}
              label="Label"
              value={option.label}
              onChange={(label) => set({ ...option, label })}
            />
            <ManifestText
              path={`${optionPath}.value`}
              label="Value"
              value={textOf(option.value)}
              onChange={(value) => set({ ...option, value })}
            />
          </>
        )}
      </ListEditor>
      {setting.type !== 'multiselect' && entries.length > 0 && (
        <Select
          label="Default"
          options={[
            { value: '', label: 'None' },
            ...entries
              .filter(
                ({ value }, index) =>
                  textOf(value.value) !== '' && names.indexOf(textOf(value.value)) === index,
              )
              .map(({ value: { label, value } }) => ({
                value: textOf(value),
                label: label || textOf(value),
              })),
          ]}
          value={textOf(defaultValue)}
          onChange={(chosen) => {
            const { defaultValue: _, ...rest } = setting
            const option = entries.find(({ value }) => textOf(value.value) === chosen)
            onChange(
              option === undefined || chosen === '' ? rest : { ...rest, defaultValue: option.value.value },
            )
          }}
        />
      )}
    </>
  )
}

function optionsOf({ options }: SettingDeclaration): readonly Option[] {
  return Array.isArray(options) ? (options as Option[]) : []
}

/** Values may be numbers and others; they are shown as JSON. */
function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
