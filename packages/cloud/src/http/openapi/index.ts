export { Components, type Schema } from './components.ts'
export { openApiDocument } from './document.ts'
export { openApiEndpoints } from './endpoints.ts'
