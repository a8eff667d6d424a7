export { Components, openApiDocument, type Schema } from './document.ts'
export { openApiEndpoints } from './endpoints.ts'
