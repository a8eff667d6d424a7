export { createOrganizations } from './feature.ts'
