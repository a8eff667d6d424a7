import type { DescriptionDeps } from './deps.ts'
import { docs } from './docs-page.ts'
import { getDocument } from './get-document.ts'

export { Components, type Schema } from './components.ts'
export { openApiDocument } from './document.ts'

/** Endpoints that describe the REST interface: the OpenAPI document for programs, `/docs` for people. */
export const openApiEndpoints = (deps: DescriptionDeps) => [getDocument(deps), ...docs(deps)]
