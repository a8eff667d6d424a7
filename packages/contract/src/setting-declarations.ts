import { type TSchema, Type } from 'typebox'
import { MAX_SETTING_LENGTH, type SettingDeclaration, validateSettingValue } from './app-settings.ts'
import { findViolations, formatViolation } from './schema-violations.ts'
import { createValidator, type SchemaValidator } from './validator.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const number = Type.Number()

/** Fields of every setting that has a value. */
const settable = { key: Type.String({ minLength: 1, maxLength: 200 }), label: text(1_000) }

const options = Type.Array(
  Type.Object({ label: text(1_000), value: Type.Unsafe<NonNullable<unknown>>(Type.Unknown()) }),
  { minItems: 1, maxItems: 1_000 },
)
const anyDefault = Type.Optional(Type.Unknown())
const textSetting = Type.Object({ ...settable, defaultValue: Type.Optional(text(MAX_SETTING_LENGTH)) })
const selectSetting = Type.Object({ ...settable, options, defaultValue: anyDefault })

/** Required fields of a declaration of each type (app-socket.md §2.9). Additional fields are allowed. */
const declarations = {
  toggle: Type.Object({ ...settable, defaultValue: Type.Boolean() }),
  text: textSetting,
  text_no_save_button: textSetting,
  select: selectSetting,
  select_with_search: selectSetting,
  multiselect: selectSetting,
  slider: Type.Object({ ...settable, defaultValue: number, min: number, max: number }),
  numeric_input: Type.Object({
    ...settable,
    defaultValue: Type.Optional(number),
    min: Type.Optional(number),
    max: Type.Optional(number),
    step: Type.Optional(number),
    placeholder: Type.Optional(text(1_000)),
  }),
  time_picker: Type.Object({
    ...settable,
    defaultValue: Type.Optional(number),
    showSeconds: Type.Optional(Type.Boolean()),
  }),
  group: Type.Object({ title: text(1_000) }),
  titleValue: Type.Object({ label: text(1_000), value: Type.Unknown() }),
} as const

type SettingType = keyof typeof declarations

/** Number of schema violations that are reported for each setting. */
const MAX_PROBLEMS = 8

const validators = new Map<SettingType, SchemaValidator<TSchema>>()

/**
 * Validates the settings an app declares.
 * @returns a sentence for each problem, with its path such as `settings[0].key`; empty if all are valid
 */
export function validateSettingDeclarations(declared: readonly SettingDeclaration[]): string[] {
  const keys = new Set<unknown>()
  return declared.flatMap((setting, index) => {
    const place = `settings[${index}]`
    const { type, key } = setting
    if (!isSettingType(type))
      return [
        `${place}.type ${'type' in setting ? `must be one of ${Object.keys(declarations).join(', ')}` : 'is required'}`,
      ]
    const problems = validateSchema(place, type, setting)
    if (problems.length > 0 || type === 'group' || type === 'titleValue') return problems
    const repeated = keys.has(key) ? [`${place}.key duplicates the key of an earlier setting`] : []
    keys.add(key)
    return [...repeated, ...validateValues(place, setting)]
  })
}

function validateSchema(place: string, type: SettingType, setting: SettingDeclaration): string[] {
  let validator = validators.get(type)
  if (!validator) {
    validator = createValidator<TSchema>(declarations[type])
    validators.set(type, validator)
  }
  if (validator.Check(setting)) return []
  return findViolations(validator.AllErrors(setting, MAX_PROBLEMS)).map(({ field, problem }) =>
    formatViolation({ field: field === '' ? place : `${place}.${field}`, problem }, place),
  )
}

/** Checks what a schema cannot express: ordered bounds, distinct options, and a default that is a valid value. */
function validateValues(place: string, setting: SettingDeclaration): string[] {
  const { min, max, step, options, defaultValue } = setting
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    return [`${place}.min must be ${max} or less, which is max`]
  if (typeof step === 'number' && step <= 0) return [`${place}.step must be more than 0`]
  if (Array.isArray(options)) {
    const values = options.map(({ value }) => JSON.stringify(value))
    const repeated = values.findIndex((value, index) => values.indexOf(value) !== index)
    if (repeated >= 0)
      return [`${place}.options[${repeated}].value duplicates the value of an earlier option`]
  }
  if (defaultValue === undefined) return []
  const problem = validateSettingValue(setting, defaultValue)
  return problem === undefined ? [] : [`${place}.defaultValue ${problem}`]
}

function isSettingType(type: unknown): type is SettingType {
  return typeof type === 'string' && Object.hasOwn(declarations, type)
}
