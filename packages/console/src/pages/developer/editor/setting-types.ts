import type { SettingDeclaration } from '@glasses-cloud/contract'

/** Types of settings, as in the SDK, with their names for people. */
export const SETTING_TYPES = {
  toggle: 'Switch',
  text: 'Text',
  text_no_save_button: 'Text, saved as it is typed',
  select: 'Choice',
  select_with_search: 'Choice with search',
  multiselect: 'Choice of several',
  slider: 'Slider',
  numeric_input: 'Number',
  time_picker: 'Time of day',
  group: 'Heading',
  titleValue: 'Fixed text',
} as const

export type SettingType = keyof typeof SETTING_TYPES

/** The fields that each type has beside `type`, `key` and `label`, with their first values. */
const FIELDS: Readonly<Record<SettingType, SettingDeclaration>> = {
  toggle: { defaultValue: false },
  text: {},
  text_no_save_button: {},
  select: { options: [] },
  select_with_search: { options: [] },
  multiselect: { options: [] },
  slider: { min: 0, max: 10, defaultValue: 5 },
  numeric_input: {},
  time_picker: {},
  group: { title: '' },
  titleValue: { value: '' },
}

export function isSettingType(value: unknown): value is SettingType {
  return typeof value === 'string' && Object.hasOwn(FIELDS, value)
}

/** Returns a setting of another type. Fields of both types stay; a default is kept only if it fits. */
export function withType(setting: SettingDeclaration, type: SettingType): SettingDeclaration {
  const { key = '', label = '', title = label, options, min, max } = setting
  const fields = FIELDS[type]
  return {
    type,
    ...(type === 'group' ? { title } : { label }),
    ...(type !== 'group' && type !== 'titleValue' && { key }),
    ...fields,
    ...(type === 'group' && { title }),
    ...('options' in fields && Array.isArray(options) && { options }),
    ...(type === 'numeric_input' && { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }),
  }
}
