import type { DeveloperProfile } from '@glasses-cloud/contract'
import type { Selectable } from 'kysely'
import { type AppPermissionRow, type AppRow, fromJson, toJson } from '../../db/index.ts'
import { displayNameOf } from '../../identity/index.ts'
import type { App, AppChanges, AppRegistration } from './app.ts'
import { toApproved, toPermission } from './reviewed-manifest.ts'

/** Row of an app joined with its organization and its developer. */
type OwnedAppRow = AppRow & {
  organization_slug: string | null
  organization_name: string | null
  organization_profile: string | null
  developer_name: string | null
  developer_profile: string | null
}

/** Columns of a new app that its registration leaves out. */
export const NEW_APP_DEFAULTS = {
  description: '',
  app_type: 'STANDARD',
  logo_url: '',
  featured: 0,
  app_store_status: 'DEVELOPMENT',
  hardware_requirements: '[]',
  settings: '[]',
  tools: '[]',
  wake_words: '[]',
  onboarding_instructions: '',
  screenshots: '[]',
} as const

/** Returns the columns of new apps. */
export function toNewColumns(app: AppRegistration) {
  const { packageName: package_name, name, publicUrl: public_url } = app
  return { ...toColumns(app), package_name, name, public_url }
}

/** Returns the columns that the given fields set. */
export function toColumns(app: AppChanges) {
  return {
    ...ifGiven(app.name, (name) => ({ name })),
    ...ifGiven(app.publicUrl, (public_url) => ({ public_url })),
    ...ifGiven(app.description, (description) => ({ description })),
    ...ifGiven(app.appType, (app_type) => ({ app_type })),
    ...ifGiven(app.logoUrl, (logo_url) => ({ logo_url })),
    ...ifGiven(app.webviewUrl, (webview_url) => ({ webview_url })),
    ...ifGiven(app.featured, (featured) => ({ featured: Number(featured) })),
    ...ifGiven(app.minHardwareVersion, (min_hardware_version) => ({ min_hardware_version })),
    ...ifGiven(app.appStoreStatus, (app_store_status) => ({ app_store_status })),
    ...ifGiven(app.developerId, (email) => ({ developer_id: email?.trim().toLowerCase() ?? null })),
    ...ifGiven(app.developerUserId, (developer_user_id) => ({ developer_user_id })),
    ...ifGiven(app.organizationId, (organization_id) => ({ organization_id })),
    ...ifGiven(app.hardwareRequirements, (list) => ({ hardware_requirements: toJson(list) })),
    ...ifGiven(app.settings, (list) => ({ settings: toJson(list) })),
    ...ifGiven(app.tools, (list) => ({ tools: toJson(list) })),
    ...ifGiven(app.wakeWords, (list) => ({ wake_words: toJson(list) })),
    ...ifGiven(app.onboardingInstructions, (onboarding_instructions) => ({ onboarding_instructions })),
  }
}

function ifGiven<T, C extends object>(value: T | undefined, columns: (value: T) => C): C | undefined {
  return value === undefined ? undefined : columns(value)
}

/**
 * @param permissions rows ordered by position
 * @param baseUrl address of the cloud, which serves uploaded images
 */
export function toApp(
  row: OwnedAppRow,
  permissions: readonly Pick<Selectable<AppPermissionRow>, 'type' | 'description' | 'declared_at'>[],
  baseUrl: string,
): App {
  const toUrl = (image: string) => (image.startsWith('/') ? baseUrl + image : image)
  return {
    id: row.id,
    packageName: row.package_name,
    name: row.name,
    description: row.description,
    publicUrl: row.public_url,
    appType: row.app_type,
    logoUrl: toUrl(row.logo_url),
    screenshots: fromJson<string[]>(row.screenshots).map(toUrl),
    webviewUrl: row.webview_url,
    featured: row.featured === 1,
    minHardwareVersion: row.min_hardware_version,
    appStoreStatus: row.app_store_status,
    developerId: row.developer_id,
    developerUserId: row.developer_user_id,
    developerName: toDeveloperName(row),
    organization: toOrganization(row),
    hardwareRequirements: fromJson(row.hardware_requirements),
    settings: fromJson(row.settings),
    tools: fromJson(row.tools),
    wakeWords: fromJson(row.wake_words),
    permissions: permissions.map(toPermission),
    declaredAt: Object.fromEntries(permissions.map(({ type, declared_at }) => [type, declared_at])),
    approved: toApproved(row.approved),
    onboardingInstructions: row.onboarding_instructions,
    unreachableSince: row.unreachable_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toDeveloperName(row: OwnedAppRow): string | null {
  const { developer_id: email, developer_name: name, developer_profile: profile } = row
  if (email === null || name === null || profile === null) return null
  return displayNameOf({ email, name, profile: fromJson<Record<string, string>>(profile) }) ?? null
}

function toOrganization(row: OwnedAppRow): App['organization'] {
  const { organization_id: id, organization_slug: slug, organization_name: name, organization_profile } = row
  if (id === null || slug === null || name === null || organization_profile === null) return null
  return { id, slug, name, profile: fromJson<DeveloperProfile>(organization_profile) }
}
