import { type Static, Type } from 'typebox'
import { appStoreStatuses, appTypes } from './apps.ts'
import { hardwareRequirement } from './compatibility.ts'
import { permission } from './permissions.ts'
import { breaches, sentence } from './sentence.ts'
import { settingDeclarationProblems } from './setting-declarations.ts'
import { toolDeclarationProblems, toolLimits } from './tools.ts'
import { validatorOf } from './validator.ts'

/** What a package name looks like: `dev.example.captions`. */
export const packageNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$'

/** Words that stand where packages are named in addresses, so that no package may be called so, in any case. */
export const reservedPackageNames: readonly string[] = [
  'available',
  'install',
  'installed',
  'public',
  'search',
  'uninstall',
  'user',
  'version',
]

/** What an organization's slug looks like: `acme-labs`. */
export const slugPattern = '^[a-z0-9][a-z0-9-]{0,99}$'

const webAddress = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_000 })
const addressOrEmpty = Type.String({ pattern: '^(https?://[^\\s]+)?$', maxLength: 2_000 })

/** Declarations in the form of the app SDK; what each must hold is looked at apart, since it depends on its type. */
const declarations = (maxItems: number) =>
  Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems })

/**
 * Schema of an app's manifest: what its developer declares. What is left out keeps the value it has, or of a new
 * app is empty, `STANDARD` and in `DEVELOPMENT`.
 */
export const manifest = Type.Object(
  {
    packageName: Type.String({ pattern: packageNamePattern }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    publicUrl: webAddress,
    appType: Type.Optional(Type.Enum(appTypes)),
    logoURL: Type.Optional(addressOrEmpty),
    webviewURL: Type.Optional(addressOrEmpty),
    permissions: Type.Optional(Type.Array(permission, { maxItems: 64 })),
    hardwareRequirements: Type.Optional(Type.Array(hardwareRequirement, { maxItems: 64 })),
    settings: Type.Optional(declarations(200)),
    tools: Type.Optional(declarations(toolLimits.tools)),
    onboardingInstructions: Type.Optional(Type.String({ maxLength: 10_000 })),
    featured: Type.Optional(Type.Boolean()),
    minHardwareVersion: Type.Optional(Type.String({ maxLength: 50 })),
    appStoreStatus: Type.Optional(Type.Enum(appStoreStatuses)),
    developerId: Type.Optional(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 })),
    organization: Type.Optional(Type.String({ pattern: slugPattern })),
  },
  { title: 'Manifest', additionalProperties: false },
)

/** An app's manifest. */
export type Manifest = Static<typeof manifest>

/** What came of reading a manifest: the manifest, or everything wrong with it, a sentence each. */
export type ManifestReading =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly problems: readonly string[] }

/** What a field must look like, where its pattern would say it to nobody. */
const shapes: Readonly<Record<string, string>> = {
  packageName: 'must be a name like dev.example.captions: letters, digits, dots, hyphens and underscores',
  publicUrl: 'must be the address of the app server, such as https://captions.example.org',
  logoURL: 'must be an address that starts with http:// or https://',
  webviewURL: 'must be an address that starts with http:// or https://',
  developerId: 'must be an e-mail address',
  organization: 'must be a slug like acme-labs: lower case letters, digits and hyphens',
}

const form = validatorOf(manifest)

/** Reads a manifest. Words of fixed lists (`appType`, permission types, …) may come in any case. */
export function readManifest(value: unknown): ManifestReading {
  const candidate = withWordsInUpperCase(value)
  if (!form.Check(candidate)) {
    const problems = breaches(form.Errors(candidate)).map(({ field, problem }) => {
      const shape = problem.startsWith('must match') ? shapes[field] : undefined
      return sentence({ field, problem: shape ?? problem }, 'The manifest')
    })
    return { ok: false, problems }
  }
  const problems = [
    ...nameProblems(candidate),
    ...repeatedPermissions(candidate),
    ...settingDeclarationProblems(candidate.settings ?? []),
    ...toolDeclarationProblems(candidate.tools ?? []),
  ]
  return problems.length === 0 ? { ok: true, manifest: candidate } : { ok: false, problems }
}

function nameProblems({ packageName }: Manifest): string[] {
  return reservedPackageNames.includes(packageName.toLowerCase())
    ? [`packageName must not be ${packageName}, which is a word of the interface's addresses`]
    : []
}

function repeatedPermissions({ permissions = [] }: Manifest): string[] {
  const types = permissions.map(({ type }) => type)
  const repeated = types.filter((type, index) => types.indexOf(type) !== index)
  return repeated.map((type) => `permissions holds ${type} more than once`)
}

function withWordsInUpperCase(value: unknown): unknown {
  if (!isRecord(value)) return value
  return {
    ...value,
    ...upperCased(value, 'appType', 'appStoreStatus'),
    ...(Array.isArray(value.permissions) && {
      permissions: value.permissions.map((entry) =>
        isRecord(entry) ? { ...entry, ...upperCased(entry, 'type') } : entry,
      ),
    }),
    ...(Array.isArray(value.hardwareRequirements) && {
      hardwareRequirements: value.hardwareRequirements.map((entry) =>
        isRecord(entry) ? { ...entry, ...upperCased(entry, 'type', 'level') } : entry,
      ),
    }),
  }
}

function upperCased(record: Record<string, unknown>, ...names: string[]): Record<string, string> {
  const words = names.flatMap((name) => {
    const word = record[name]
    return typeof word === 'string' ? [[name, word.toUpperCase()] as const] : []
  })
  return Object.fromEntries(words)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
