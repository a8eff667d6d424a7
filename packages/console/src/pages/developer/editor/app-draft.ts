import {
  type HardwareRequirement,
  locateProblem,
  type Manifest,
  type ManifestProblem,
  type Permission,
  parseManifest,
  type SettingDeclaration,
  type WakeWord,
} from '@glasses-cloud/contract'
import type { DeveloperApp } from '../../../api/developer.ts'

/** An entry of a list that is being edited, with an id that stays while others are added and removed. */
export interface Entry<Value> {
  readonly id: number
  readonly value: Value
}

/** A parameter of a tool that is being edited. */
export interface ParameterDraft {
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly description: string
  readonly required: boolean
  /** Allowed values, separated by commas; empty: all. */
  readonly values: string
}

/** A tool that is being edited. */
export interface ToolDraft {
  readonly id: string
  readonly description: string
  /** One in each line. */
  readonly activationPhrases: string
  readonly parameters: readonly Entry<ParameterDraft>[]
}

/** The fields of an app that are edited in a form. */
export interface AppDraft
  extends Required<
    Pick<
      Manifest,
      | 'packageName'
      | 'name'
      | 'description'
      | 'publicUrl'
      | 'appType'
      | 'webviewURL'
      | 'onboardingInstructions'
    >
  > {
  readonly permissions: readonly Entry<Permission>[]
  readonly hardwareRequirements: readonly Entry<HardwareRequirement>[]
  readonly settings: readonly Entry<SettingDeclaration>[]
  readonly tools: readonly Entry<ToolDraft>[]
  readonly wakeWords: readonly Entry<WakeWord>[]
}

/** The part of a manifest that a draft describes. */
export type DraftManifest = Omit<
  AppDraft,
  'permissions' | 'hardwareRequirements' | 'settings' | 'tools' | 'wakeWords'
> & {
  readonly permissions: readonly Permission[]
  readonly hardwareRequirements: readonly HardwareRequirement[]
  readonly settings: readonly SettingDeclaration[]
  readonly tools: readonly object[]
  readonly wakeWords: readonly WakeWord[]
}

let lastId = 0

/** Makes an entry of a list. */
export function entryOf<Value>(value: Value): Entry<Value> {
  lastId += 1
  return { id: lastId, value }
}

/** A draft with nothing in it. */
export const EMPTY_DRAFT: AppDraft = {
  packageName: '',
  name: '',
  description: '',
  publicUrl: '',
  appType: 'STANDARD',
  webviewURL: '',
  onboardingInstructions: '',
  permissions: [],
  hardwareRequirements: [],
  settings: [],
  tools: [],
  wakeWords: [],
}

/** Returns a draft of an app as it is. */
export function draftOf(app: DeveloperApp): AppDraft {
  const { packageName, name, description, publicUrl, appType, webviewURL = '', onboardingInstructions } = app
  return {
    packageName,
    name,
    description,
    publicUrl,
    appType,
    webviewURL,
    onboardingInstructions,
    permissions: app.permissions.map(entryOf),
    hardwareRequirements: app.hardwareRequirements.map(entryOf),
    settings: app.settings.map(entryOf),
    tools: app.tools.map((tool) => entryOf(toToolDraft(tool))),
    wakeWords: app.wakeWords.map(entryOf),
  }
}

/** Returns the manifest that a draft describes; it may be invalid. */
export function toManifest(draft: AppDraft): DraftManifest {
  return {
    ...draft,
    permissions: draft.permissions.map(({ value }) => withoutEmptyDescription(value)),
    hardwareRequirements: draft.hardwareRequirements.map(({ value }) => withoutEmptyDescription(value)),
    settings: draft.settings.map(({ value }) => value),
    tools: draft.tools.map(({ value }) => toTool(value)),
    wakeWords: draft.wakeWords.map(({ value: { phrase, language = '' } }) =>
      language === '' ? { phrase } : { phrase, language },
    ),
  }
}

/** Returns the fields of a manifest that differ. */
export function changedFields(before: DraftManifest, after: DraftManifest): Partial<DraftManifest> {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof DraftManifest]),
    ),
  )
}

/** Checks a draft as the cloud will. */
export function findProblems(draft: AppDraft): readonly ManifestProblem[] {
  const parsed = parseManifest(toManifest(draft))
  const problems = parsed.ok ? [] : parsed.problems.map(locateProblem)
  return [...problems, ...draft.tools.flatMap(({ value }, index) => findRepeatedParameters(value, index))]
}

/** In a manifest, parameters are fields of an object: the later one would replace the earlier one. */
function findRepeatedParameters({ parameters }: ToolDraft, toolIndex: number): ManifestProblem[] {
  const names = parameters.map(({ value }) => value.name)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  return repeated.map((name) =>
    locateProblem(`tools[${toolIndex}].parameters.${name} duplicates the name of an earlier parameter`),
  )
}

function withoutEmptyDescription<Value extends { readonly description?: string | undefined }>(
  value: Value,
): Value {
  if (value.description !== '') return value
  const { description: _, ...rest } = value
  return rest as Value
}

function toToolDraft(tool: Readonly<Record<string, unknown>>): ToolDraft {
  const { id, description, activationPhrases, parameters } = tool
  return {
    id: textOf(id),
    description: textOf(description),
    activationPhrases: Array.isArray(activationPhrases) ? activationPhrases.join('\n') : '',
    parameters: Object.entries(recordOf(parameters)).map(([name, value]) =>
      entryOf(toParameterDraft(name, recordOf(value))),
    ),
  }
}

function toParameterDraft(name: string, parameter: Readonly<Record<string, unknown>>): ParameterDraft {
  const { type, description, required, enum: values } = parameter
  return {
    name,
    type: type === 'number' || type === 'boolean' ? type : 'string',
    description: textOf(description),
    required: required === true,
    values: Array.isArray(values) ? values.join(', ') : '',
  }
}

function toTool({ id, description, activationPhrases, parameters }: ToolDraft): object {
  const phrases = linesOf(activationPhrases, '\n')
  return {
    id,
    description,
    ...(phrases.length > 0 && { activationPhrases: phrases }),
    ...(parameters.length > 0 && {
      parameters: Object.fromEntries(parameters.map(({ value }) => [value.name, toParameter(value)])),
    }),
  }
}

function toParameter({ type, description, required, values }: ParameterDraft): object {
  const allowed = linesOf(values, ',').map((value) => typed(value, type))
  return {
    type,
    description,
    ...(required && { required }),
    ...(allowed.length > 0 && { enum: allowed }),
  }
}

/** A value that does not have the type stays a text, which is reported as a problem. */
function typed(value: string, type: ParameterDraft['type']): string | number | boolean {
  if (type === 'number' && Number.isFinite(Number(value))) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function linesOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
