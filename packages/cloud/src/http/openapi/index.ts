export { Components, type Schema } from './components.ts'
export { openApiDocument, openApiEndpoints } from './endpoints.ts'
