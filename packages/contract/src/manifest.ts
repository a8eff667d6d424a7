import { type Static, Type } from 'typebox'
import { APP_STORE_STATUSES, APP_TYPES } from './apps.ts'
import { hardwareRequirement } from './compatibility.ts'
import { mergePermissions, permission } from './permissions.ts'
import { findViolations, formatViolation } from './schema-violations.ts'
import { validateSettingDeclarations } from './setting-declarations.ts'
import { TOOL_LIMITS, validateToolDeclarations } from './tools.ts'
import { createValidator } from './validator.ts'
import { findRepeatedWakeWords, WAKE_WORD_LIMITS, wakeWord } from './wake-words.ts'

/** Pattern of a package name, such as `dev.example.captions`. */
export const PACKAGE_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$'

/** Path segments of the REST interface, which are invalid as package names in any case. */
export const RESERVED_PACKAGE_NAMES: readonly string[] = [
  'available',
  'install',
  'installed',
  'public',
  'register',
  'search',
  'uninstall',
  'user',
  'version',
]

/** Pattern of an organization's slug, such as `acme-labs`. */
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{0,99}$'

const webUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_000 })
const webUrlOrEmpty = Type.String({ pattern: '^(https?://[^\\s]+)?$', maxLength: 2_000 })

/** Schema of declarations of settings or tools, whose fields depend on their type and are validated separately. */
const declarations = (maxItems: number) =>
  Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems })

/**
 * Schema of the manifest of an app. Omitted fields keep their values; for a new app they are empty, `STANDARD` and
 * `DEVELOPMENT`.
 */
export const manifest = Type.Object(
  {
    packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    publicUrl: webUrl,
    appType: Type.Optional(Type.Enum(APP_TYPES)),
    logoURL: Type.Optional(webUrlOrEmpty),
    webviewURL: Type.Optional(webUrlOrEmpty),
    permissions: Type.Optional(Type.Array(permission, { maxItems: 64 })),
    hardwareRequirements: Type.Optional(Type.Array(hardwareRequirement, { maxItems: 64 })),
    settings: Type.Optional(declarations(200)),
    tools: Type.Optional(declarations(TOOL_LIMITS.tools)),
    wakeWords: Type.Optional(Type.Array(wakeWord, { maxItems: WAKE_WORD_LIMITS.count })),
    onboardingInstructions: Type.Optional(Type.String({ maxLength: 10_000 })),
    featured: Type.Optional(Type.Boolean()),
    minHardwareVersion: Type.Optional(Type.String({ maxLength: 50 })),
    appStoreStatus: Type.Optional(Type.Enum(APP_STORE_STATUSES)),
    developerId: Type.Optional(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 })),
    organization: Type.Optional(Type.String({ pattern: SLUG_PATTERN })),
  },
  { title: 'Manifest', additionalProperties: false },
)

/** The manifest of an app. */
export type Manifest = Static<typeof manifest>

/** A valid manifest, or a sentence for each problem. */
export type ManifestResult =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly problems: readonly string[] }

/** A problem with the field that it is about. */
export interface ManifestProblem {
  /** Such as `permissions[0].type`; empty for the manifest itself. */
  readonly field: string
  readonly message: string
}

/** Finds the field that the sentence of a problem starts with. */
export function locateProblem(message: string): ManifestProblem {
  const [, field = ''] = /^([\w.[\]-]+) /.exec(message) ?? []
  return { field: field === 'The' ? '' : field, message }
}

/** Error messages for fields whose pattern would not help the developer. */
const PATTERN_HINTS: Readonly<Record<string, string>> = {
  packageName: 'must be a name like dev.example.captions: letters, digits, dots, hyphens and underscores',
  publicUrl: 'must be the URL of the app server, such as https://captions.example.org',
  logoURL: 'must be a URL that starts with http:// or https://',
  webviewURL: 'must be a URL that starts with http:// or https://',
  developerId: 'must be an e-mail address',
  organization: 'must be a slug like acme-labs: lowercase letters, digits and hyphens',
  'wakeWords[].phrase': 'must have letters only, with single spaces between words',
  'wakeWords[].language': 'must be a language tag with a region, such as en-US',
}

const validator = createValidator(manifest)

/** Number of schema violations that are reported together. */
const MAX_PROBLEMS = 8

/**
 * Parses and validates changes to an app: a manifest with the changed fields only.
 * @param current the required fields of the app
 */
export function parseManifestChanges(
  value: unknown,
  current: Pick<Manifest, 'packageName' | 'name' | 'publicUrl'>,
): { readonly ok: true; readonly changes: Partial<Manifest> } | Extract<ManifestResult, { ok: false }> {
  const parsed = parseManifest(isRecord(value) ? { ...current, ...value } : value)
  if (!parsed.ok) return parsed
  const given = Object.entries(parsed.manifest).filter(([field]) => isRecord(value) && field in value)
  return { ok: true, changes: Object.fromEntries(given) }
}

/**
 * Parses and validates a manifest. Enum values (`appType`, permission types, …) are case-insensitive; permissions of one
 * type are merged.
 */
export function parseManifest(value: unknown): ManifestResult {
  const candidate = upperCaseEnums(value)
  if (!validator.Check(candidate)) {
    const problems = findViolations(validator.AllErrors(candidate, MAX_PROBLEMS)).map(
      ({ field, problem }) => {
        const shape = problem.startsWith('must match')
          ? PATTERN_HINTS[field.replace(/\[\d+\]/, '[]')]
          : undefined
        return formatViolation({ field, problem: shape ?? problem }, 'The manifest')
      },
    )
    return { ok: false, problems }
  }
  const problems = [
    ...validatePackageName(candidate),
    ...validateSettingDeclarations(candidate.settings ?? []),
    ...validateToolDeclarations(candidate.tools ?? []),
    ...findRepeatedWakeWords(candidate.wakeWords ?? []),
  ]
  if (problems.length > 0) return { ok: false, problems }
  const { permissions } = candidate
  const merged = permissions === undefined ? {} : { permissions: mergePermissions(permissions) }
  return { ok: true, manifest: { ...candidate, ...merged } }
}

function validatePackageName({ packageName }: Manifest): string[] {
  return RESERVED_PACKAGE_NAMES.includes(packageName.toLowerCase())
    ? [`packageName must not be ${packageName}, which is a reserved word`]
    : []
}

function upperCaseEnums(value: unknown): unknown {
  if (!isRecord(value)) return value
  return {
    ...value,
    ...upperCaseFields(value, 'appType', 'appStoreStatus'),
    ...(Array.isArray(value.permissions) && {
      permissions: value.permissions.map((entry) =>
        isRecord(entry) ? { ...entry, ...upperCaseFields(entry, 'type') } : entry,
      ),
    }),
    ...(Array.isArray(value.hardwareRequirements) && {
      hardwareRequirements: value.hardwareRequirements.map((entry) =>
        isRecord(entry) ? { ...entry, ...upperCaseFields(entry, 'type', 'level') } : entry,
      ),
    }),
  }
}

function upperCaseFields(record: Record<string, unknown>, ...names: string[]): Record<string, string> {
  const words = names.flatMap((name) => {
    const word = record[name]
    return typeof word === 'string' ? [[name, word.toUpperCase()] as const] : []
  })
  return Object.fromEntries(words)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
