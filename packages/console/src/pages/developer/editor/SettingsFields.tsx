import type { SettingDeclaration } from '@glasses-cloud/contract'
import { Select } from '../../../components/Select.tsx'
import { Switch } from '../../../components/Switch.tsx'
import { ManifestNumber, ManifestText } from './fields.tsx'
import { formTexts } from './form.texts.ts'
import { ListEditor } from './ListEditor.tsx'
import { OptionFields } from './OptionFields.tsx'
import { isSettingType, SETTING_TYPES, type SettingType, withType } from './setting-types.ts'
import type { Draft } from './use-draft.ts'

const { settings: texts } = formTexts

const TYPES = Object.entries(SETTING_TYPES).map(([value, label]) => ({ value: value as SettingType, label }))

/** The settings that the wearer of an app can change. */
export function SettingsFields({ draft: { value, set } }: { readonly draft: Draft }) {
  return (
    <ListEditor<SettingDeclaration>
      title={texts.settings}
      hint={texts.settingsHint}
      addLabel={texts.addSetting}
      path="settings"
      entries={value.settings}
      onChange={(settings) => set('settings', settings)}
      create={() => withType({ key: '', label: '' }, 'toggle')}
      nameOf={(setting, position) => texts.name(String(setting.label ?? setting.title ?? ''), position)}
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
  const text = (field: keyof typeof texts.fields) => ({
    path: `${path}.${field}`,
    label: texts.fields[field],
    value: typeof setting[field] === 'string' ? setting[field] : '',
    onChange: (value: string) => set(field, value),
  })
  const number = (field: keyof typeof texts.fields) => ({
    path: `${path}.${field}`,
    label: texts.fields[field],
    value: setting[field],
    onChange: (value: number | undefined) => set(field, value),
  })
  return (
    <>
      <Select
        label={texts.type}
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
          <ManifestText {...text('key')} description={texts.codeNameHint} />
          <ManifestText {...text('label')} />
        </>
      )}
      {type === 'toggle' && (
        <Switch isSelected={setting.defaultValue === true} onChange={(value) => set('defaultValue', value)}>
          {texts.onByDefault}
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
      {type === 'time_picker' && <ManifestNumber {...number('defaultValue')} label={texts.defaultTime} />}
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
