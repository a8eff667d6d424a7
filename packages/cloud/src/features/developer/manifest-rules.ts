import { locateProblem, type Manifest, parseManifest, parseManifestChanges } from '@glasses-cloud/contract'
import { type Fault, fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { App, AppChanges } from '../catalogue/index.ts'

/** The fields of an app that its manifest does not name. */
export const NEW_APP = { featured: false, appType: 'STANDARD' } as const

/** What a manifest requests beyond the fields of the app. */
export type PublicationRequest = 'publish' | 'unpublish' | undefined

/**
 * Parses the manifest of a new app.
 * @throws Fault `MANIFEST_INVALID` that names every invalid field
 */
export function readManifest(
  body: unknown,
  developer: Developer,
  reservedPackages: ReadonlySet<string>,
): Manifest {
  const parsed = parseManifest(body)
  if (!parsed.ok) throw invalidManifest(parsed.problems)
  const { manifest } = parsed
  const problems = [
    ...(reservedPackages.has(manifest.packageName.toLowerCase()) && !developer.isAdministrator
      ? [`packageName must not be ${manifest.packageName}, which is reserved for the operator of this cloud`]
      : []),
    ...operatorFields(manifest, developer, NEW_APP),
    ...(manifest.developerId !== undefined && manifest.developerId.toLowerCase() !== developer.email
      ? ['developerId must be your own e-mail address']
      : []),
    ...(manifest.appStoreStatus === 'REJECTED' ? ['appStoreStatus must not be REJECTED'] : []),
  ]
  if (problems.length > 0) throw invalidManifest(problems)
  return manifest
}

/**
 * Parses the changes to an app.
 * @throws Fault `MANIFEST_INVALID` that names every invalid field
 */
export function readChanges(body: unknown, developer: Developer, app: App): Partial<Manifest> {
  const { packageName, name, publicUrl } = app
  const parsed = parseManifestChanges(body, { packageName, name, publicUrl })
  if (!parsed.ok) throw invalidManifest(parsed.problems)
  const { changes } = parsed
  const moved = 'cannot be changed here; move the app to another owner'
  const problems = [
    ...(changes.packageName !== undefined && changes.packageName !== packageName
      ? [`packageName must be ${packageName}, because it cannot be changed`]
      : []),
    ...operatorFields(changes, developer, app),
    ...(changes.developerId !== undefined && changes.developerId.toLowerCase() !== app.developerId
      ? [`developerId ${moved}`]
      : []),
    ...(changes.organization !== undefined && changes.organization !== app.organization?.slug
      ? [`organization ${moved}`]
      : []),
    ...(changes.appStoreStatus === 'REJECTED' && app.appStoreStatus !== 'REJECTED'
      ? ['appStoreStatus must not be REJECTED']
      : []),
  ]
  if (problems.length > 0) throw invalidManifest(problems)
  return changes
}

/** Fields of an app that only administrators of the cloud may change. */
export type OperatorFields = Partial<Pick<Manifest, 'featured' | 'appType'>>

/** Returns the changes that only administrators of the cloud may make. */
export function operatorChanges(
  { featured, appType }: Partial<Manifest>,
  current: Pick<App, 'featured' | 'appType'>,
): OperatorFields {
  return {
    ...(featured !== undefined && featured !== current.featured && { featured }),
    ...(appType === 'SYSTEM_DASHBOARD' && appType !== current.appType && { appType }),
  }
}

function operatorFields(
  manifest: Partial<Manifest>,
  { isAdministrator }: Developer,
  current: Pick<App, 'featured' | 'appType'>,
): string[] {
  if (isAdministrator) return []
  const { featured, appType } = operatorChanges(manifest, current)
  return [
    ...(featured !== undefined ? ['featured can be changed by administrators of this cloud only'] : []),
    ...(appType !== undefined
      ? ['appType must be STANDARD or BACKGROUND; SYSTEM_DASHBOARD is reserved for administrators']
      : []),
  ]
}

/** Returns the columns to change. Ownership and status are changed by requests of their own. */
export function toChanges(manifest: Partial<Manifest>): AppChanges {
  const {
    packageName: _,
    logoURL,
    webviewURL,
    developerId,
    organization,
    appStoreStatus,
    ...fields
  } = manifest
  return {
    ...fields,
    ...(logoURL !== undefined && { logoUrl: logoURL }),
    ...(webviewURL !== undefined && { webviewUrl: webviewURL === '' ? null : webviewURL }),
  }
}

/** A manifest may contain the status that the app should have. */
export function publicationRequest(
  { appStoreStatus }: Partial<Manifest>,
  current: App['appStoreStatus'],
): PublicationRequest {
  if (appStoreStatus === undefined || appStoreStatus === current) return undefined
  if (appStoreStatus === 'DEVELOPMENT') return 'unpublish'
  // An app in review stays in review.
  return current === 'DEVELOPMENT' || current === 'REJECTED' ? 'publish' : undefined
}

function invalidManifest(sentences: readonly string[]): Fault {
  return fault('MANIFEST_INVALID', {
    message: sentences.join('; '),
    extra: { problems: sentences.map(locateProblem) },
  })
}

/** A user who may administrate apps. */
export type Developer = Pick<User, 'id' | 'email' | 'isAdministrator'>
