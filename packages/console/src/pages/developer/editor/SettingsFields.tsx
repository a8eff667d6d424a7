import type { SettingDeclaration } from '@glasses-cloud/contract'
import { Select } from '../../../components/Select.tsx'
import { Switch } from '../../../components/Switch.tsx'
import { ManifestNumber, ManifestText } from './fields.tsx'
import { ListEditor } from './ListEditor.tsx'
import { OptionFields } from './OptionFields.tsx'
import { isSettingType, SETTING_TYPES, type SettingType, withType } from './setting-types.ts'
import type { Draft } from './use-draft.ts'

const FIELDS = {
  key: 'Key',
  label: 'Label',
  title: 'Title',
  value: 'Value',
  defaultValue: 'Default',
  min: 'Minimum',
  max: 'Maximum',
  step: 'Step',
} as const

const TYPES = Object.entries(SETTING_TYPES).map(([value, label]) => ({ value: value as SettingType, label }))

/** The settings that the wearer of an app can change. */
export function SettingsFields({ draft: { value, set } }: { readonly draft: Draft }) {
  return (
    <ListEditor<SettingDeclaration>
      title="Settings"
      hint="What wearers can change. The app receives the values, and every change."
      addLabel="Add a setting"
      path="settings"
      entries={value.settings}
      onChange={(settings) => set('settings', settings)}
      create={() => withType({ key: '', label: '' }, 'toggle')}
      nameOf={({ label, title }, position) => `setting ${String(label ?? title ?? '') || position}`}
    >
      {(setting, path, change) => <SettingFields setting={setting} path={path} onChange={change} />}
    </ListEditor>
  )
}

interface SettingFieldsProps {
  readonly setting: SettingDeclaration
  readonly path: string
  readonly onChange: (setting: SettingDeclaration) => void
}

function SettingFields({ setting, path, onChange }: SettingFieldsProps) {
  const type = isSettingType(setting.type) ? setting.type : 'text'
  const set = (field: string, value: unknown) => onChange(withField(setting, field, value))
  const text = (field: keyof typeof FIELDS) => ({
    path: `${path}.${field}`,
    label: FIELDS[field],
    value: typeof setting[field] === 'string' ? setting[field] : '',
    onChange: (value: string) => set(field, value),
  })
  const number = (field: keyof typeof FIELDS) => ({
    path: `${path}.${field}`,
    label: FIELDS[field],
    value: setting[field],
    onChange: (value: number | undefined) => set(field, value),
  })
  return (
    <>
      <Select
        label="Type"
        options={TYPES}
        value={type}
        onChange={(chosen) => onChange(withType(setting, chosen))}
      />
      {type === 'group' ? (
        <ManifestText {...text('title')} />
      ) : type === 'titleValue' ? (
        <>
          <ManifestText {...text('label')} />
          <ManifestText {...text('value')} />
        </>
      ) : (
        <>
          <ManifestText {...text('key')} description="Name in the code of the app" />
          <ManifestText {...text('label')} />
        </>
      )}
      {type === 'toggle' && (
        <Switch isSelected={setting.defaultValue === true} onChange={(value) => set('defaultValue', value)}>
          On by default
        </Switch>
      )}
      {(type === 'text' || type === 'text_no_save_button') && <ManifestText {...text('defaultValue')} />}
      {(type === 'slider' || type === 'numeric_input') && (
        <>
          <ManifestNumber {...number('min')} />
          <ManifestNumber {...number('max')} />
          {type === 'numeric_input' && <ManifestNumber {...number('step')} />}
          <ManifestNumber {...number('defaultValue')} />
        </>
      )}
      {type === 'time_picker' && (
        <ManifestNumber {...number('defaultValue')} label="Default, in seconds after midnight" />
      )}
      {(type === 'select' || type === 'select_with_search' || type === 'multiselect') && (
        <OptionFields setting={setting} path={path} onChange={onChange} />
      )}
    </>
  )
}

/** Sets a field; undefined removes it, so that its default applies. */
function withField(setting: SettingDeclaration, field: string, value: unknown): SettingDeclaration {
  const { [field]: _, ...rest } = setting
  return value === undefined ? rest : { ...setting, [field]: value }
}
