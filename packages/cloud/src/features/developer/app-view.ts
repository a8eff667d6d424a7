import type { DeveloperApp } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import {
  type App,
  type AppStore,
  isKnownDown,
  type ReviewedManifest,
  revisionOf,
} from '../catalogue/index.ts'
import type { Review, ReviewStore } from './review-store.ts'

/** Returns apps as their developers see them. */
export async function toDeveloperApps(
  { reviews, now }: { readonly reviews: ReviewStore; readonly now: () => number },
  apps: readonly App[],
): Promise<DeveloperApp[]> {
  const byApp = await reviews.findAll(apps.map(({ id }) => id))
  return apps.map((app) => toDeveloperApp(app, byApp.get(app.id), now()))
}

function toDeveloperApp(app: App, review: Review | undefined, now: number): DeveloperApp {
  const { organization } = app
  return {
    _id: app.id,
    packageName: app.packageName,
    name: app.name,
    description: app.description,
    publicUrl: app.publicUrl,
    appType: app.appType,
    logoURL: app.logoUrl,
    screenshots: [...app.screenshots],
    ...(app.webviewUrl === null ? {} : { webviewURL: app.webviewUrl }),
    permissions: [...app.permissions],
    hardwareRequirements: [...app.hardwareRequirements],
    settings: [...app.settings],
    tools: [...app.tools],
    wakeWords: [...app.wakeWords],
    onboardingInstructions: app.onboardingInstructions,
    featured: app.featured,
    ...(app.minHardwareVersion === null ? {} : { minHardwareVersion: app.minHardwareVersion }),
    appStoreStatus: app.appStoreStatus,
    published: app.appStoreStatus === 'PUBLISHED',
    ...(review && { review: toReviewView(review) }),
    revision: revisionOf(app),
    ...(typeof app.approved === 'object' && { approved: toApprovedView(app.approved) }),
    ...(app.developerId === null ? {} : { developerId: app.developerId }),
    ...(organization && {
      organization: organization.slug,
      orgId: organization.id,
      orgName: organization.name,
    }),
    isServerDown: isKnownDown(app, now),
    createdAt: iso(app.createdAt),
    updatedAt: iso(app.updatedAt),
  }
}

function toApprovedView({ permissions, publicUrl, webviewUrl, tools }: ReviewedManifest) {
  return {
    permissions: [...permissions],
    publicUrl,
    ...(webviewUrl === null ? {} : { webviewURL: webviewUrl }),
    tools: [...tools],
  }
}

function toReviewView({ submittedAt, decidedAt, notes }: Review) {
  return {
    submittedAt: iso(submittedAt),
    ...(decidedAt === null ? {} : { decidedAt: iso(decidedAt) }),
    notes,
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Returns one app as its developers see it. */
export async function viewOf(
  deps: { readonly reviews: ReviewStore; readonly now: () => number },
  app: App,
): Promise<DeveloperApp> {
  return toDeveloperApp(app, await deps.reviews.find(app.id), deps.now())
}

/** Reads an app again after it changed. @throws Fault `APP_NOT_FOUND` if it was deleted */
export async function reload({ apps }: { readonly apps: AppStore }, { packageName }: App): Promise<App> {
  const app = await apps.findByPackage(packageName)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return app
}
