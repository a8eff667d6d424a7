import { docs } from './docs-page.ts'
import { getDocument } from './get-document.ts'

export { Components, type Schema } from './components.ts'
export { openApiDocument } from './document.ts'

/** What describes the interface: to programs, and to people. */
export const descriptions = [getDocument, ...docs]
