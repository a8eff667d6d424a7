import type { DeveloperApp } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import { viewOf } from '../developer/index.ts'
import type { ActOptions } from './audit.ts'
import type { AdministrationEndpointDeps } from './deps.ts'

/**
 * Decides the review of the app that is the target of the act.
 * @throws Fault `APP_NOT_FOUND`, or `APP_NOT_IN_REVIEW`
 */
export async function decideReview(
  deps: AdministrationEndpointDeps,
  act: ActOptions,
  status: 'PUBLISHED' | 'REJECTED',
  notes: string,
): Promise<DeveloperApp> {
  const { apps, reviews, audit, now } = deps
  const app = await apps.findByPackage(act.target)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  if (app.appStoreStatus !== 'SUBMITTED') throw fault('APP_NOT_IN_REVIEW')
  await audit.run(act, async () => {
    if (!(await reviews.decide(app.id, status, notes, now()))) throw fault('APP_NOT_IN_REVIEW')
  })
  return viewOf(deps, { ...app, appStoreStatus: status })
}
