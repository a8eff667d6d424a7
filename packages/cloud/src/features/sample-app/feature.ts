import type { Feature } from '../../feature.ts'
import { SampleApp, type SampleAppDeps } from './sample-app.ts'

/** An app for the first minutes of a new cloud: live captions, served by the cloud itself (`SAMPLE_APP`). */
export function createSampleApp(deps: SampleAppDeps): Feature {
  return { name: 'sample-app', jobs: [new SampleApp(deps)] }
}
